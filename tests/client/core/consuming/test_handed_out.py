"""How far a program is in what was returned to it last."""

from __future__ import annotations

from moldau.client.core.consuming.handed_out import HandedOut
from moldau.client.core.consuming.records import ConsumerRecord

RECORDS = [ConsumerRecord("t", 0, offset, 1000, None, b"v") for offset in (5, 6, 9)]


def test_an_iteration_has_not_taken_what_is_ahead():
    handed = HandedOut()
    handed.is_iterated(RECORDS)
    assert handed.untaken == 5
    handed.next()
    assert (handed.untaken, handed.undone) == (6, 5)
    assert handed.take_untaken() == 6
    assert (handed.take_untaken(), list(handed.ahead)) == (None, [])


def test_after_a_failure_the_record_at_hand_is_not_done():
    handed = HandedOut()
    handed.is_iterated(RECORDS)
    handed.next()
    handed.next()
    assert (handed.take_undone(), handed.take_undone()) == (6, None)


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
