"""`uniform` for members that read the same."""

from __future__ import annotations

from moldau.broker.coordinator.group.consumer.assignor.equal_subscriptions import assign_equal
from tests.broker.coordinator.group.consumer.assignor.groups import by_letters, group, member


def test_a_new_member_takes_what_is_over_the_quota_of_others():
    members = {"a": member("t", t=(0, 1, 2, 3)), "b": member("t")}
    assert by_letters(assign_equal(group({"t": 4}, False, **members))) == {
        "a": {"t": [0, 1]}, "b": {"t": [2, 3]},
    }  # fmt: skip


def test_the_extra_partition_stays_with_who_has_it():
    members = {"a": member("t", t=(0,)), "b": member("t", t=(1, 2))}
    assert by_letters(assign_equal(group({"t": 3}, False, **members))) == {
        "a": {"t": [0]}, "b": {"t": [1, 2]},
    }  # fmt: skip


def test_topics_that_are_not_read_any_more_are_taken_away():
    members = {"a": member("u", t=(0, 1), u=(0,))}
    assert by_letters(assign_equal(group({"u": 2}, False, **members))) == {"a": {"u": [0, 1]}}


def test_without_topics_there_is_nothing_to_give():
    assert assign_equal(group({}, a=member(""))) == {}
