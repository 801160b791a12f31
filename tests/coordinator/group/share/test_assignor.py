"""The simple assignor leaves no partition out, no member idle, and shares alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from moldau.coordinator.group.share.assignor import assign

T, U = b"t" * 16, b"u" * 16


def counts(result):
    return sorted(sum(len(some) for some in given.values()) for given in result.values())


def everywhere(members, *topics):
    return {str(number): frozenset(topics) for number in range(members)}


@given(st.integers(1, 8), st.integers(1, 8))
def test_everybody_works_and_everything_is_worked_on(members, partitions):
    result = assign(everywhere(members, T), {T: frozenset(range(partitions))}, {})
    assert min(counts(result)) >= 1
    assert {index for given in result.values() for index in given[T]} == set(range(partitions))
    assert max(counts(result)) - min(counts(result)) <= 1


@given(st.integers(1, 8), st.integers(1, 8), st.integers(1, 8))
def test_what_was_given_is_kept_when_nothing_changes(members, partitions, others):
    assignable = {T: frozenset(range(partitions))}
    before = assign(everywhere(members, T), assignable, {})
    assert assign(everywhere(members, T), assignable, before) == before


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6))
def test_members_that_come_or_go_leave_it_even(members, later, partitions):
    assignable = {T: frozenset(range(partitions))}
    before = assign(everywhere(members, T), assignable, {})
    after = assign(everywhere(later, T), assignable, before)
    assert min(counts(after)) >= 1
    assert {index for given in after.values() for index in given[T]} == set(range(partitions))


def test_partitions_without_state_are_given_to_nobody():
    assert assign(everywhere(2, T), {}, {}) == {"0": {}, "1": {}}


def test_members_get_only_what_they_subscribe_to():
    subscriptions = {"a": frozenset({T}), "b": frozenset({T, U})}
    assignable = {T: frozenset({0, 1}), U: frozenset({0, 1, 2})}
    result = assign(subscriptions, assignable, {})
    assert result["a"].keys() == {T}
    assert result["b"][U] == [0, 1, 2]
