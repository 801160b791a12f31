"""`uniform` chooses its way by whether all members read the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.coordinator.group.consumer.assignor.uniform_assignor import assign_uniformly
from tests.broker.coordinator.group.consumer.assignor.groups import by_letters, group, member


def test_without_members_there_is_no_assignment():
    assert assign_uniformly(group({})) == {}


@given(st.integers(1, 8), st.dictionaries(st.sampled_from("tuvw"), st.integers(1, 9), min_size=1))
def test_every_member_gets_the_same_count_but_for_one(member_count, counts):
    names = "".join(counts)
    members = {f"m{index}": member(names) for index in range(member_count)}
    equal = by_letters(assign_uniformly(group(counts, False, **members)))
    mixed = by_letters(assign_uniformly(group(counts, True, **members)))
    for assigned in (equal, mixed):
        sizes = [sum(map(len, given.values())) for given in assigned.values()]
        assert (sum(sizes), max(sizes) - min(sizes) <= 1) == (sum(counts.values()), True)
