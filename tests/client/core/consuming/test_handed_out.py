"""How far a program is in what was returned to it last."""

from __future__ import annotations

from moldau.client.core.consuming.handed_out import HandedOut
from moldau.client.core.consuming.records import ConsumerRecord

RECORDS = [ConsumerRecord("t", 0, offset, 1000, None, b"v") for offset in (5, 6, 9)]


def test_an_iteration_has_not_taken_what_is_ahead():
    handed = HandedOut()
    ahead = handed.iterate(RECORDS)
    assert next(ahead) is RECORDS[0]
    assert handed.take_untaken() == 6
    assert handed.undone == 5
    assert (handed.take_untaken(), list(ahead)) == (None, [])


def test_an_iteration_that_has_not_begun_has_taken_nothing():
    handed = HandedOut()
    handed.iterate(RECORDS)
    assert (handed.take_untaken(), handed.undone) == (5, None)


def test_behind_an_iteration_may_be_a_record_that_cannot_be_read():
    handed = HandedOut()
    assert list(handed.iterate(RECORDS, 11)) == RECORDS
    assert handed.untaken == 11
    handed.asked()
    assert (handed.take_untaken(), handed.take_undone()) == (11, None)


def test_a_failure_at_a_record_that_cannot_be_read_leaves_it_there():
    handed = HandedOut()
    handed.iterate([], 11)
    assert handed.take_undone() == 11


def test_after_a_failure_the_record_at_hand_is_not_done():
    handed = HandedOut()
    ahead = handed.iterate(RECORDS)
    next(ahead)
    next(ahead)
    assert (handed.take_undone(), handed.take_undone()) == (6, None)


def test_what_is_committed_during_an_iteration_is_done():
    handed = HandedOut()
    next(handed.iterate(RECORDS))
    handed.take_untaken()
    handed.undone = None
    assert handed.take_undone() is None


def test_of_what_was_returned_at_once_nothing_is_done_after_a_failure():
    handed = HandedOut()
    handed.returned(RECORDS)
    assert handed.take_untaken() is None
    handed.returned([])
    assert handed.take_undone() == 5


def test_who_asks_for_more_is_done_with_what_was_returned_before():
    handed = HandedOut()
    handed.returned(RECORDS)
    handed.asked()
    assert handed.take_undone() is None


def test_the_rest_of_a_chunk_is_not_taken():
    handed = HandedOut()
    handed.is_part(5, 8, 20)
    assert (handed.undone, handed.untaken) == (5, 8)
    handed.is_part(8, 20, 20)
    assert (handed.undone, handed.untaken) == (8, None)
