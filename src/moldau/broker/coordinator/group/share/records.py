"""The records of a share group, one function each; what they mean is in `messages.stored`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.broker.coordinator.group.share.member import Assignment, ShareMember
from moldau.broker.coordinator.group.share.prepared import Prepared, Shares, TopicShare
from moldau.broker.coordinator.shard import StoredRecord
from moldau.protocol.messages.stored.share_group import (
    ShareGroupCurrentMemberAssignmentKey,
    ShareGroupCurrentMemberAssignmentValue,
    ShareGroupMemberMetadataKey,
    ShareGroupMemberMetadataValue,
    ShareGroupMetadataKey,
    ShareGroupMetadataValue,
    ShareGroupStatePartitionMetadataKey,
    ShareGroupStatePartitionMetadataValue,
    ShareGroupTargetAssignmentMemberKey,
    ShareGroupTargetAssignmentMemberValue,
    ShareGroupTargetAssignmentMetadataKey,
    ShareGroupTargetAssignmentMetadataValue,
)

STATE_STABLE = 0
_Stored = ShareGroupStatePartitionMetadataValue
_Target = ShareGroupTargetAssignmentMemberValue.TopicPartition
_Current = ShareGroupCurrentMemberAssignmentValue.TopicPartitions


def group_record(group_id: str, epoch: int, metadata_hash: int) -> StoredRecord:
    value = ShareGroupMetadataValue(epoch=epoch, metadata_hash=metadata_hash)
    return StoredRecord(ShareGroupMetadataKey(group_id=group_id), value)


def member_record(group_id: str, member: ShareMember) -> StoredRecord:
    value = ShareGroupMemberMetadataValue(
        rack_id=member.rack_id,
        client_id=member.client_id,
        client_host=member.client_host,
        subscribed_topic_names=list(member.topic_names),
    )
    key = ShareGroupMemberMetadataKey(group_id=group_id, member_id=member.member_id)
    return StoredRecord(key, value)


def target_record(group_id: str, member_id: str, target: Assignment) -> StoredRecord:
    value = ShareGroupTargetAssignmentMemberValue(
        topic_partitions=[
            _Target(topic_id=topic_id, partitions=sorted(partitions))
            for topic_id, partitions in target.items()
        ]
    )
    key = ShareGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id)
    return StoredRecord(key, value)


def assignment_epoch_record(group_id: str, epoch: int, assigned_at_ms: int) -> StoredRecord:
    value = ShareGroupTargetAssignmentMetadataValue(
        assignment_epoch=epoch, assignment_timestamp=assigned_at_ms
    )
    return StoredRecord(ShareGroupTargetAssignmentMetadataKey(group_id=group_id), value)


def current_record(group_id: str, member: ShareMember) -> StoredRecord:
    value = ShareGroupCurrentMemberAssignmentValue(
        member_epoch=member.epoch,
        previous_member_epoch=member.previous_epoch,
        state=STATE_STABLE,
        assigned_partitions=[
            _Current(topic_id=topic_id, partitions=sorted(partitions))
            for topic_id, partitions in member.assigned.items()
        ],
    )
    key = ShareGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member.member_id)
    return StoredRecord(key, value)


def prepared_record(group_id: str, prepared: Prepared) -> StoredRecord:
    value = _Stored(
        initializing_topics=_infos(prepared.asked),
        initialized_topics=_infos(prepared.ready),
        deleting_topics=[
            _Stored.TopicInfo(topic_id=topic_id, topic_name=name)
            for topic_id, name in prepared.leaving.items()
        ],
    )
    return StoredRecord(ShareGroupStatePartitionMetadataKey(group_id=group_id), value)


def _infos(shares: Shares) -> list[_Stored.TopicPartitionsInfo]:
    return [
        _Stored.TopicPartitionsInfo(
            topic_id=topic_id, topic_name=one.name, partitions=sorted(one.partitions)
        )
        for topic_id, one in shares.items()
    ]


def prepared_of(value: _Stored, now_ms: int) -> Prepared:
    """What such a record holds."""
    return Prepared(
        _shares(value.initializing_topics, now_ms),
        _shares(value.initialized_topics, now_ms),
        {one.topic_id: one.topic_name for one in value.deleting_topics},
    )


def _shares(
    infos: Iterable[_Stored.TopicPartitionsInfo], now_ms: int
) -> Mapping[bytes, TopicShare]:
    return {
        one.topic_id: TopicShare(one.topic_name, frozenset(one.partitions), now_ms) for one in infos
    }


def assignment_of(entries: Iterable[_Target] | Iterable[_Current]) -> Assignment:
    """What a record of a target or a present assignment holds."""
    return {entry.topic_id: tuple(entry.partitions) for entry in entries}


# Tombstones.


def member_tombstones(group_id: str, member_id: str) -> list[StoredRecord]:
    """All of one member, in the order in which they have to be applied."""
    return [
        _no_current(group_id, member_id),
        _no_target(group_id, member_id),
        _no_member(group_id, member_id),
    ]


def group_tombstones(group_id: str, member_ids: list[str]) -> list[StoredRecord]:
    """All of a group."""
    return [
        *(_no_current(group_id, member_id) for member_id in member_ids),
        *(_no_target(group_id, member_id) for member_id in member_ids),
        StoredRecord(ShareGroupTargetAssignmentMetadataKey(group_id=group_id), None),
        *(_no_member(group_id, member_id) for member_id in member_ids),
        StoredRecord(ShareGroupStatePartitionMetadataKey(group_id=group_id), None),
        StoredRecord(ShareGroupMetadataKey(group_id=group_id), None),
    ]


def _no_current(group_id: str, member_id: str) -> StoredRecord:
    key = ShareGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member_id)
    return StoredRecord(key, None)


def _no_target(group_id: str, member_id: str) -> StoredRecord:
    key = ShareGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id)
    return StoredRecord(key, None)


def _no_member(group_id: str, member_id: str) -> StoredRecord:
    return StoredRecord(ShareGroupMemberMetadataKey(group_id=group_id, member_id=member_id), None)
