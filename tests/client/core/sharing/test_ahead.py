"""What of an iteration has not been taken."""

from __future__ import annotations

from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.core.sharing.ahead import Ahead

RECORDS = [ConsumerRecord("t", 0, offset, 0, None, b"%d" % offset) for offset in range(4)]
READ = [record._replace(value=str(record.offset)) for record in RECORDS]


def test_what_was_not_taken_is_returned_as_it_was_acquired():
    ahead = Ahead()
    taken = ahead.iterate(READ, RECORDS)
    assert [next(taken).value, next(taken).value] == ["0", "1"]
    assert ahead.take() == RECORDS[2:]


def test_the_iteration_ends_with_that():
    ahead = Ahead()
    taken = ahead.iterate(READ, RECORDS)
    assert list(ahead.take()) == RECORDS
    assert list(taken) == []
    assert list(ahead.take()) == []


def test_one_that_could_not_be_read_is_none_of_them():
    ahead = Ahead()
    next(ahead.iterate(READ[:2], RECORDS))
    assert ahead.take() == RECORDS[1:2]


def test_an_iteration_that_came_to_its_end_has_nothing_left():
    ahead = Ahead()
    assert list(ahead.iterate(READ, RECORDS)) == READ
    assert list(ahead.take()) == []
