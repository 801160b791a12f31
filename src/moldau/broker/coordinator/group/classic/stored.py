"""A classic group as the record that its coordinator writes.

One record holds the whole group. It is written when a generation is complete, when the last member
is gone, when a static member gets another id, and, empty, when the group begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.member import ClassicMember
from moldau.broker.coordinator.shard import StoredRecord
from moldau.protocol.messages.stored.classic_group import GroupMetadataKey, GroupMetadataValue

VALUE_VERSION = 3
"""What Kafka writes: the last one that is not flexible."""


def group_record(
    group: ClassicGroup,
    members: Iterable[ClassicMember],
    assignment_of: Mapping[str, bytes],
    leader_id: str | None = None,
) -> StoredRecord:
    """The group with these members and their assignments, by member id; the others get none."""
    value = GroupMetadataValue(
        protocol_type=group.protocol_type,
        generation=group.generation,
        protocol=group.protocol_name,
        leader=leader_id or group.leader_id,
        current_state_timestamp=group.state_since_ms,
        members=[
            _stored(member, group.protocol_name, assignment_of.get(member.member_id, b""))
            for member in members
        ],
    )
    return StoredRecord(GroupMetadataKey(group=group.group_id), value, VALUE_VERSION)


def first_record(group: ClassicGroup) -> StoredRecord:
    """The record of a group that has nothing but its name."""
    value = GroupMetadataValue(
        protocol_type="",
        generation=0,
        protocol=None,
        leader=None,
        current_state_timestamp=group.state_since_ms,
        members=[],
    )
    return StoredRecord(GroupMetadataKey(group=group.group_id), value, VALUE_VERSION)


def _stored(
    member: ClassicMember, protocol_name: str | None, assignment: bytes
) -> GroupMetadataValue.MemberMetadata:
    return GroupMetadataValue.MemberMetadata(
        member_id=member.member_id,
        group_instance_id=member.instance_id,
        client_id=member.client_id,
        client_host=member.client_host,
        rebalance_timeout=member.rebalance_timeout_ms,
        session_timeout=member.session_timeout_ms,
        subscription=member.metadata(protocol_name),
        assignment=assignment,
    )
