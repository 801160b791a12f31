"""`uniform` for members that read different topics."""

from __future__ import annotations

from moldau.broker.coordinator.group.consumer.assignor.mixed_subscriptions import assign_mixed
from tests.broker.coordinator.group.consumer.assignor.groups import by_letters, group, member


def test_who_has_least_gets_most_of_what_others_share():
    members = {"a": member("tu"), "b": member("u")}
    assigned = by_letters(assign_mixed(group({"t": 2, "u": 4}, True, **members)))
    assert [sum(map(len, given.values())) for given in assigned.values()] == [3, 3]
    assert assigned["a"]["t"] == [0, 1]


def test_what_a_member_has_stays_if_balance_allows_it():
    members = {"a": member("tu", u=(1,)), "b": member("u", u=(0,))}
    assigned = by_letters(assign_mixed(group({"t": 1, "u": 2}, True, **members)))
    assert (assigned["b"], assigned["a"]) == ({"u": [0]}, {"t": [0], "u": [1]})


def test_partitions_move_from_who_has_most_to_who_has_least():
    members = {"a": member("t", t=(0, 1, 2, 3)), "b": member("tu")}
    assigned = by_letters(assign_mixed(group({"t": 4, "u": 1}, True, **members)))
    assert sorted(sum(map(len, given.values())) for given in assigned.values()) == [2, 3]


def test_without_topics_there_is_nothing_to_give():
    assert assign_mixed(group({}, mixed=True, a=member(""))) == {}
