"""The records of a consumer group, one function each; what they mean is in `messages.stored`."""

from __future__ import annotations

from collections.abc import Iterable

from moldau.broker.coordinator.group.classic.member import MemberProtocol
from moldau.broker.coordinator.group.consumer.assignor.spec import Assignment
from moldau.broker.coordinator.group.consumer.member import ClassicSide, ConsumerMember, Owned
from moldau.broker.coordinator.group.consumer.subscriptions import ResolvedPattern
from moldau.broker.coordinator.shard import StoredRecord
from moldau.protocol.messages.stored.consumer_group import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataKey,
    ConsumerGroupMetadataValue,
    ConsumerGroupPartitionMetadataKey,
    ConsumerGroupRegularExpressionKey,
    ConsumerGroupRegularExpressionValue,
    ConsumerGroupTargetAssignmentMemberKey,
    ConsumerGroupTargetAssignmentMemberValue,
    ConsumerGroupTargetAssignmentMetadataKey,
    ConsumerGroupTargetAssignmentMetadataValue,
)

_Classic = ConsumerGroupMemberMetadataValue.ClassicMemberMetadata
_Owned = ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions


def group_record(group_id: str, epoch: int, metadata_hash: int) -> StoredRecord:
    value = ConsumerGroupMetadataValue(epoch=epoch, metadata_hash=metadata_hash)
    return StoredRecord(ConsumerGroupMetadataKey(group_id=group_id), value)


def member_record(group_id: str, member: ConsumerMember) -> StoredRecord:
    value = ConsumerGroupMemberMetadataValue(
        instance_id=member.instance_id,
        rack_id=member.rack_id,
        client_id=member.client_id,
        client_host=member.client_host,
        subscribed_topic_names=list(member.topic_names),
        subscribed_topic_regex=member.topic_pattern,
        rebalance_timeout_ms=member.rebalance_timeout_ms,
        server_assignor=member.assignor,
        classic_member_metadata=None if member.classic is None else _classic(member.classic),
    )
    key = ConsumerGroupMemberMetadataKey(group_id=group_id, member_id=member.member_id)
    return StoredRecord(key, value)


def target_record(group_id: str, member_id: str, target: Assignment) -> StoredRecord:
    value = ConsumerGroupTargetAssignmentMemberValue(
        topic_partitions=[
            ConsumerGroupTargetAssignmentMemberValue.TopicPartition(
                topic_id=topic_id, partitions=list(partitions)
            )
            for topic_id, partitions in target.items()
        ]
    )
    key = ConsumerGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id)
    return StoredRecord(key, value)


def assignment_epoch_record(group_id: str, epoch: int, assigned_at_ms: int) -> StoredRecord:
    value = ConsumerGroupTargetAssignmentMetadataValue(
        assignment_epoch=epoch, assignment_timestamp=assigned_at_ms
    )
    return StoredRecord(ConsumerGroupTargetAssignmentMetadataKey(group_id=group_id), value)


def current_record(group_id: str, member: ConsumerMember) -> StoredRecord:
    value = ConsumerGroupCurrentMemberAssignmentValue(
        member_epoch=member.epoch,
        previous_member_epoch=member.previous_epoch,
        state=member.state,
        assigned_partitions=_owned(member.assigned),
        partitions_pending_revocation=_owned(member.to_revoke),
    )
    key = ConsumerGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member.member_id)
    return StoredRecord(key, value)


def pattern_record(group_id: str, pattern: str, resolved: ResolvedPattern) -> StoredRecord:
    value = ConsumerGroupRegularExpressionValue(
        topics=sorted(resolved.topics),
        version=resolved.image_offset,
        timestamp=resolved.resolved_at_ms,
    )
    key = ConsumerGroupRegularExpressionKey(group_id=group_id, regular_expression=pattern)
    return StoredRecord(key, value)


# Tombstones.


def member_tombstones(group_id: str, member_id: str) -> list[StoredRecord]:
    """All of one member, in the order in which they have to be applied."""
    return [
        _no_current(group_id, member_id),
        _no_target(group_id, member_id),
        _no_member(group_id, member_id),
    ]


def pattern_tombstone(group_id: str, pattern: str) -> StoredRecord:
    key = ConsumerGroupRegularExpressionKey(group_id=group_id, regular_expression=pattern)
    return StoredRecord(key, None)


def old_metadata_tombstone(group_id: str) -> StoredRecord:
    """Of what coordinators before 4.1 wrote instead of a hash."""
    return StoredRecord(ConsumerGroupPartitionMetadataKey(group_id=group_id), None)


def group_tombstones(
    group_id: str, member_ids: list[str], patterns: Iterable[str]
) -> list[StoredRecord]:
    """All of a group."""
    return [
        *(_no_current(group_id, member_id) for member_id in member_ids),
        *(_no_target(group_id, member_id) for member_id in member_ids),
        StoredRecord(ConsumerGroupTargetAssignmentMetadataKey(group_id=group_id), None),
        *(_no_member(group_id, member_id) for member_id in member_ids),
        *(pattern_tombstone(group_id, pattern) for pattern in patterns),
        old_metadata_tombstone(group_id),
        StoredRecord(ConsumerGroupMetadataKey(group_id=group_id), None),
    ]


def _no_current(group_id: str, member_id: str) -> StoredRecord:
    key = ConsumerGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member_id)
    return StoredRecord(key, None)


def _no_target(group_id: str, member_id: str) -> StoredRecord:
    key = ConsumerGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id)
    return StoredRecord(key, None)


def _no_member(group_id: str, member_id: str) -> StoredRecord:
    return StoredRecord(
        ConsumerGroupMemberMetadataKey(group_id=group_id, member_id=member_id), None
    )


# Pieces of values, there and back.


def _classic(classic: ClassicSide) -> _Classic:
    return _Classic(
        session_timeout_ms=classic.session_timeout_ms,
        supported_protocols=[
            _Classic.ClassicProtocol(name=name, metadata=metadata)
            for name, metadata in classic.protocols
        ],
    )


def classic_side(stored: _Classic | None) -> ClassicSide | None:
    if stored is None:
        return None
    protocols = (
        MemberProtocol(protocol.name, bytes(protocol.metadata))
        for protocol in stored.supported_protocols
    )
    return ClassicSide(stored.session_timeout_ms, tuple(protocols))


def _owned(owned: Owned) -> list[_Owned]:
    return [
        _Owned(
            topic_id=topic_id,
            partitions=list(partitions),
            assignment_epochs=list(partitions.values()),
        )
        for topic_id, partitions in owned.items()
    ]


def owned_of(stored: list[_Owned], member_epoch: int) -> Owned:
    """Records of before 4.2 have no epochs of partitions: the member's stands in."""
    return {entry.topic_id: _with_epochs(entry, max(member_epoch, 0)) for entry in stored}


def _with_epochs(entry: _Owned, epoch: int) -> dict[int, int]:
    epochs = entry.assignment_epochs
    if epochs is None or len(epochs) != len(entry.partitions):
        return dict.fromkeys(entry.partitions, epoch)
    return dict(zip(entry.partitions, epochs, strict=True))
