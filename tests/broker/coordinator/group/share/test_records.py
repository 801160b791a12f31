"""Records of share groups go through their bytes and mean the same."""

from __future__ import annotations

from moldau.broker.coordinator.group.share.member import ShareMember
from moldau.broker.coordinator.group.share.prepared import Prepared, TopicShare
from moldau.broker.coordinator.group.share.records import (
    assignment_epoch_record,
    assignment_of,
    current_record,
    group_record,
    group_tombstones,
    member_record,
    member_tombstones,
    prepared_of,
    prepared_record,
    target_record,
)
from moldau.broker.coordinator.record_codec import GROUP_RECORDS, decode_stored, encode_stored

T = b"t" * 16
MEMBER = ShareMember("m", "rack", "client", "/host", ("t",), 3, 2, {T: (0, 1)})


def value_of(record):
    again = decode_stored(GROUP_RECORDS, *encode_stored(record))
    assert again is not None
    assert again == record
    return again.value


def test_state_is_stored_with_what_is_asked_for_there_and_leaving():
    prepared = Prepared(
        {T: TopicShare("t", frozenset({2}), 7)},
        {T: TopicShare("t", frozenset({0, 1}), 7)},
        {b"u" * 16: "u"},
    )
    assert prepared_of(value_of(prepared_record("g", prepared)), 7) == prepared


def test_assignments_are_stored_in_order():
    assert assignment_of(value_of(target_record("g", "m", {T: {1, 0}})).topic_partitions) == {
        T: (0, 1)
    }
    current = value_of(current_record("g", MEMBER))
    assert (current.member_epoch, current.previous_member_epoch) == (3, 2)
    assert assignment_of(current.assigned_partitions) == MEMBER.assigned


def test_members_and_epochs_are_stored():
    assert value_of(member_record("g", MEMBER)).subscribed_topic_names == ["t"]
    assert value_of(group_record("g", 4, -5)).metadata_hash == -5
    assert value_of(assignment_epoch_record("g", 4, 99)).assignment_timestamp == 99


def test_the_tombstones_of_a_group_end_with_the_group():
    kinds = [record.key.KEY for record in group_tombstones("g", ["m"])]
    assert kinds == [14, 13, 12, 10, 15, 11]
    assert [record.key.KEY for record in member_tombstones("g", "m")] == [14, 13, 10]
    assert all(record.value is None for record in group_tombstones("g", ["m"]))
