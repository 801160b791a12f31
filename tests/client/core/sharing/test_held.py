"""Records that are held, and how they are acknowledged."""

from __future__ import annotations

from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.core.sharing.held import AcknowledgeType, Held, TypedRange

ACCEPT, RELEASE, REJECT, RENEW = AcknowledgeType


def held(*offsets: int, first: int = 0, last: int = 9) -> Held:
    found = Held(1)
    found.acquire(first, last, [ConsumerRecord("t", 0, one, 0, None, b"") for one in offsets])
    return found


def test_a_run_of_one_type_is_one_range():
    some = held(*range(10))
    some.acknowledge_all(ACCEPT)
    assert some.take() == [TypedRange(0, 9, (1,))]
    assert (len(some), some.has_types, some.take()) == (0, False, [])


def test_types_differ_by_offset_within_a_range():
    some = held(0, 1, 2, 4, last=2)
    some.acknowledge(0, ACCEPT)
    some.acknowledge(1, REJECT)
    some.acknowledge(4, RELEASE)
    assert some.take() == [TypedRange(0, 1, (1, 3)), TypedRange(4, 4, (2,))]
    assert [record.offset for record in some.unacknowledged()] == [2]


def test_offsets_without_a_record_are_gaps():
    some = held(1, 2, last=3)
    assert some.take() == [TypedRange(0, 0, (0,)), TypedRange(3, 3, (0,))]


def test_what_is_renewed_is_held_on_and_acknowledged_again():
    some = held(5, first=5, last=5)
    assert some.acknowledge(5, RENEW)
    assert some.renews
    assert some.unacknowledged() == []
    assert some.take() == [TypedRange(5, 5, (4,))]
    assert len(some.unacknowledged()) == 1
    assert some.acknowledge(5, ACCEPT)


def test_what_is_not_held_cannot_be_acknowledged():
    some = held(5, first=5, last=5)
    assert not some.acknowledge(6, ACCEPT)
    some.give_up()
    assert not some.acknowledge(5, ACCEPT)
    assert some.take() == []


def test_what_cannot_be_returned_is_given_back_unless_the_program_says_otherwise():
    some = held(4, 5, first=4, last=5)
    some.give_back([4, 5], RELEASE)
    assert (len(some), some.unacknowledged()) == (0, [])
    assert not some.acknowledge(4, RENEW)
    assert some.acknowledge(4, REJECT)
    assert some.take() == [TypedRange(4, 5, (3, 2))]
    assert not some.acknowledge(5, REJECT)
