"""The records of a streams group, one function each; what they mean is in `messages.stored`."""

from __future__ import annotations

from collections.abc import Mapping

from moldau.broker.coordinator.group.streams.member import StreamsMember
from moldau.broker.coordinator.group.streams.tasks import (
    EpochMap,
    OwnedTasks,
    TaskMap,
    Tasks,
    sorted_tasks,
)
from moldau.broker.coordinator.shard import StoredRecord
from moldau.protocol.messages.stored.streams_group import (
    StreamsGroupCurrentMemberAssignmentKey,
    StreamsGroupCurrentMemberAssignmentValue,
    StreamsGroupMemberMetadataKey,
    StreamsGroupMemberMetadataValue,
    StreamsGroupMetadataKey,
    StreamsGroupMetadataValue,
    StreamsGroupTargetAssignmentMemberKey,
    StreamsGroupTargetAssignmentMemberValue,
    StreamsGroupTargetAssignmentMetadataKey,
    StreamsGroupTargetAssignmentMetadataValue,
    StreamsGroupTopologyKey,
    StreamsGroupTopologyValue,
)

_Owned = StreamsGroupCurrentMemberAssignmentValue.TaskIds
_Target = StreamsGroupTargetAssignmentMemberValue.TaskIds
_Member = StreamsGroupMemberMetadataValue


def group_record(
    group_id: str,
    epoch: int,
    metadata_hash: int,
    validated_topology_epoch: int,
    configs: Mapping[str, str],
) -> StoredRecord:
    value = StreamsGroupMetadataValue(
        epoch=epoch,
        metadata_hash=metadata_hash,
        validated_topology_epoch=validated_topology_epoch,
        last_assignment_configs=[
            StreamsGroupMetadataValue.LastAssignmentConfig(key=key, value=configs[key])
            for key in sorted(configs)
        ],
    )
    return StoredRecord(StreamsGroupMetadataKey(group_id=group_id), value)


def topology_record(group_id: str, topology: StreamsGroupTopologyValue) -> StoredRecord:
    return StoredRecord(StreamsGroupTopologyKey(group_id=group_id), topology)


def member_record(group_id: str, member: StreamsMember) -> StoredRecord:
    endpoint = member.endpoint
    value = _Member(
        instance_id=member.instance_id,
        rack_id=member.rack_id,
        client_id=member.client_id,
        client_host=member.client_host,
        rebalance_timeout_ms=member.rebalance_timeout_ms,
        topology_epoch=member.topology_epoch,
        process_id=member.process_id,
        user_endpoint=None
        if endpoint is None
        else _Member.Endpoint(host=endpoint[0], port=endpoint[1]),
        client_tags=[
            _Member.KeyValue(key=key, value=member.client_tags[key])
            for key in sorted(member.client_tags)
        ],
    )
    key = StreamsGroupMemberMetadataKey(group_id=group_id, member_id=member.member_id)
    return StoredRecord(key, value)


def target_record(group_id: str, member_id: str, target: Tasks) -> StoredRecord:
    value = StreamsGroupTargetAssignmentMemberValue(
        active_tasks=_targets(target.active),
        standby_tasks=_targets(target.standby),
        warmup_tasks=_targets(target.warmup),
    )
    key = StreamsGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id)
    return StoredRecord(key, value)


def assignment_epoch_record(group_id: str, epoch: int, assigned_at_ms: int) -> StoredRecord:
    value = StreamsGroupTargetAssignmentMetadataValue(
        assignment_epoch=epoch, assignment_timestamp=assigned_at_ms
    )
    return StoredRecord(StreamsGroupTargetAssignmentMetadataKey(group_id=group_id), value)


def current_record(group_id: str, member: StreamsMember) -> StoredRecord:
    value = StreamsGroupCurrentMemberAssignmentValue(
        member_epoch=member.epoch,
        previous_member_epoch=member.previous_epoch,
        state=member.state,
        active_tasks=_active(member.assigned.active),
        standby_tasks=_others(member.assigned.standby),
        warmup_tasks=_others(member.assigned.warmup),
        active_tasks_pending_revocation=_active(member.to_revoke.active),
        standby_tasks_pending_revocation=_others(member.to_revoke.standby),
        warmup_tasks_pending_revocation=_others(member.to_revoke.warmup),
    )
    key = StreamsGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member.member_id)
    return StoredRecord(key, value)


# Tombstones.


def member_tombstones(group_id: str, member_id: str) -> list[StoredRecord]:
    """All of one member, in the order in which they have to be applied."""
    names = {"group_id": group_id, "member_id": member_id}
    return [
        StoredRecord(StreamsGroupCurrentMemberAssignmentKey(**names), None),
        StoredRecord(StreamsGroupTargetAssignmentMemberKey(**names), None),
        StoredRecord(StreamsGroupMemberMetadataKey(**names), None),
    ]


def group_tombstones(group_id: str, member_ids: list[str]) -> list[StoredRecord]:
    """All of a group."""
    by_member = [member_tombstones(group_id, member_id) for member_id in member_ids]
    return [
        *(tombstones[0] for tombstones in by_member),
        *(tombstones[1] for tombstones in by_member),
        StoredRecord(StreamsGroupTargetAssignmentMetadataKey(group_id=group_id), None),
        *(tombstones[2] for tombstones in by_member),
        StoredRecord(StreamsGroupMetadataKey(group_id=group_id), None),
        StoredRecord(StreamsGroupTopologyKey(group_id=group_id), None),
    ]


# Pieces of values, there and back.


def _targets(tasks: TaskMap) -> list[_Target]:
    return [_Target(subtopology_id=one, partitions=found) for one, found in sorted_tasks(tasks)]


def _others(tasks: TaskMap) -> list[_Owned]:
    return [_Owned(subtopology_id=one, partitions=found) for one, found in sorted_tasks(tasks)]


def _active(tasks: EpochMap) -> list[_Owned]:
    return [
        _Owned(
            subtopology_id=one,
            partitions=found,
            assignment_epochs=[tasks[one][partition] for partition in found],
        )
        for one, found in sorted_tasks(tasks)
    ]


def owned_tasks(
    active: list[_Owned], standby: list[_Owned], warmup: list[_Owned], member_epoch: int
) -> OwnedTasks:
    """Records of before 4.3 have no epochs of tasks: the member's stands in."""
    return OwnedTasks(
        {entry.subtopology_id: _with_epochs(entry, member_epoch) for entry in active},
        {entry.subtopology_id: frozenset(entry.partitions) for entry in standby},
        {entry.subtopology_id: frozenset(entry.partitions) for entry in warmup},
    )


def _with_epochs(entry: _Owned, epoch: int) -> dict[int, int]:
    epochs = entry.assignment_epochs
    if epochs is None or len(epochs) != len(entry.partitions):
        return dict.fromkeys(entry.partitions, max(epoch, 0))
    return dict(zip(entry.partitions, epochs, strict=True))
