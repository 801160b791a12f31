"""The simple assignor leaves no partition out, no member idle, and shares alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.coordinator.group.share.assignor import Given, SharedWork, assign

T, U = b"t" * 16, b"u" * 16


def counts(result):
    return sorted(sum(len(some) for some in given.values()) for given in result.values())


def alike(members, partitions, before=None) -> dict[str, Given]:
    """So many members share so many partitions of one topic."""
    wanted = {str(number): (T,) for number in range(members)}
    assignable = {T: frozenset(range(partitions))}
    return assign(SharedWork(wanted, assignable, True, before or {}))


@given(st.integers(1, 8), st.integers(1, 8))
def test_every_member_works_and_everything_is_worked_on(members, partitions):
    result = alike(members, partitions)
    assert min(counts(result)) >= 1
    assert {index for given in result.values() for index in given[T]} == set(range(partitions))
    assert max(counts(result)) - min(counts(result)) <= 1


@given(st.integers(1, 8), st.integers(1, 8))
def test_what_was_given_is_kept_when_nothing_changes(members, partitions):
    before = alike(members, partitions)
    assert alike(members, partitions, before) == before


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6))
def test_members_that_come_or_go_leave_nothing_out(members, later, partitions):
    after = alike(later, partitions, alike(members, partitions))
    assert {index for given in after.values() for index in given[T]} == set(range(partitions))


def test_partitions_without_state_are_given_to_no_member():
    assert assign(SharedWork({"a": (T,), "b": (T,)}, {}, True)) == {"a": {}, "b": {}}


def test_who_subscribes_to_nothing_gets_nothing():
    before = {"a": {T: [0]}}
    assert assign(SharedWork({"a": ()}, {T: frozenset({0})}, True, before)) == {"a": {}}


def test_members_get_only_what_they_subscribe_to():
    subscriptions = {"a": (T,), "b": (T, U)}
    assignable = {T: frozenset({0, 1}), U: frozenset({0, 1, 2})}
    result = assign(SharedWork(subscriptions, assignable, False))
    assert result == {"a": {T: [0]}, "b": {T: [1], U: [0, 1, 2]}}


def test_a_topic_that_all_have_left_is_taken_from_those_who_share_alike():
    before = {"a": {T: [0], U: [0]}}
    assignable = {T: frozenset({0}), U: frozenset({0})}
    assert assign(SharedWork({"a": (T,)}, assignable, True, before)) == {"a": {T: [0]}}
    mixed = assign(SharedWork({"a": (T,), "b": ()}, assignable, False, before))
    assert mixed == {"a": {T: [0], U: [0]}, "b": {}}
