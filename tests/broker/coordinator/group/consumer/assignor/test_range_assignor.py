"""`range`: neighbours for each member, and the same ones of topics that are alike."""

from __future__ import annotations

from moldau.broker.coordinator.group.consumer.assignor.range_assignor import assign_ranges
from tests.broker.coordinator.group.consumer.assignor.groups import by_letters, group, member


def test_members_get_neighbours_and_the_first_ones_more():
    assigned = assign_ranges(group({"t": 5}, a=member("t"), b=member("t")))
    assert by_letters(assigned) == {"a": {"t": [0, 1, 2]}, "b": {"t": [3, 4]}}


def test_topics_with_equal_counts_are_shared_out_alike():
    assigned = assign_ranges(group({"t": 3, "u": 3}, a=member("tu"), b=member("tu")))
    assert by_letters(assigned) == {"a": {"t": [0, 1], "u": [0, 1]}, "b": {"t": [2], "u": [2]}}


def test_static_members_come_first_by_their_instance_ids():
    members = {"a": member("t"), "z": member("t", "i1"), "y": member("t", "i2")}
    assert by_letters(assign_ranges(group({"t": 3}, False, **members))) == {
        "z": {"t": [0]}, "y": {"t": [1]}, "a": {"t": [2]},
    }  # fmt: skip


def test_each_topic_is_shared_among_its_own_readers():
    assigned = assign_ranges(group({"t": 2, "u": 2}, mixed=True, a=member("t"), b=member("tu")))
    assert by_letters(assigned) == {"a": {"t": [0]}, "b": {"t": [1], "u": [0, 1]}}


def test_with_too_few_partitions_the_last_members_get_none():
    assigned = assign_ranges(group({"t": 1}, a=member("t"), b=member("t")))
    assert by_letters(assigned) == {"a": {"t": [0]}, "b": {}}
