"""Records of consumer groups, there and back."""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.member import MemberProtocol
from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.consumer.member import ClassicSide, ConsumerMember, MemberState
from moldau.broker.coordinator.group.consumer.records import (
    current_record,
    group_tombstones,
    member_record,
    member_tombstones,
    owned_of,
)
from moldau.broker.coordinator.group.consumer.replay import APPLIERS
from moldau.broker.coordinator.record_codec import GROUP_RECORDS, decode_stored, encode_stored
from moldau.protocol.messages.stored.consumer_group import ConsumerGroupCurrentMemberAssignmentValue

T = b"t" * 16
MEMBER = ConsumerMember(
    "m",
    epoch=4,
    previous_epoch=3,
    state=MemberState.UNREVOKED,
    instance_id="i",
    rack_id="r",
    rebalance_timeout_ms=7,
    client_id="c",
    client_host="/h",
    topic_names=("a", "b"),
    topic_pattern="x.*",
    assignor="range",
    assigned={T: {0: 4, 1: 2}},
    to_revoke={T: {2: 1}},
    classic=ClassicSide(9, (MemberProtocol("range", b"meta"),)),
)


def test_a_member_is_read_again_as_it_was():
    group = ConsumerGroup("g")
    for record in (member_record("g", MEMBER), current_record("g", MEMBER)):
        key, value = encode_stored(record)
        stored = decode_stored(GROUP_RECORDS, key, value)
        assert stored is not None
        APPLIERS[type(stored.key)](group, stored.key, stored.value)
    assert group.members == {"m": MEMBER}


def test_partitions_without_epochs_get_their_members():
    entry = ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions(topic_id=T, partitions=[1])
    assert owned_of([entry], 6) == {T: {1: 6}}
    assert owned_of([entry], -2) == {T: {1: 0}}


def test_tombstones_take_members_before_their_group():
    kinds = [type(record.key).__name__ for record in member_tombstones("g", "m")]
    assert kinds == [
        "ConsumerGroupCurrentMemberAssignmentKey",
        "ConsumerGroupTargetAssignmentMemberKey",
        "ConsumerGroupMemberMetadataKey",
    ]
    last = group_tombstones("g", ["m"], ["p"])[-1]
    assert (type(last.key).__name__, last.value) == ("ConsumerGroupMetadataKey", None)
