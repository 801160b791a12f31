"""Groups with their members: classic ones, and those of KIP-848 and of KIP-932."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.choices import AccessOperation, GroupType, operations_of
from moldau.client.core.admin.cluster import ClusterNode
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.groups import describe_rows, group_names
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.consuming.protocol import read_assignment
from moldau.client.core.coordinators import KeyType
from moldau.client.core.dialogue import Dialogue
from moldau.client.errors import InvalidArgumentError, RefusedError, UnsupportedVersionError
from moldau.client.topic_partition import TopicPartition
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.group.consumer_group_describe import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
)
from moldau.protocol.messages.group.describe_groups import (
    DescribeGroupsRequest,
    DescribeGroupsResponse,
)
from moldau.protocol.messages.share.share_group_describe import (
    ShareGroupDescribeRequest,
    ShareGroupDescribeResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = [
    "GroupMember",
    "GroupView",
    "coordinator_of",
    "describe_classic_groups",
    "describe_consumer_groups",
    "describe_share_groups",
]

OF_CONSUMERS = "consumer"
CLASSIC_MEMBER = 0
ClassicGroup = DescribeGroupsResponse.DescribedGroup
ConsumerGroup = ConsumerGroupDescribeResponse.DescribedGroup
ShareGroup = ShareGroupDescribeResponse.DescribedGroup
Assigned: TypeAlias = (
    ConsumerGroupDescribeResponse.Assignment | ShareGroupDescribeResponse.Assignment
)
Views: TypeAlias = Outcomes[str, "GroupView"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMember:
    """A member of a group."""

    member_id: str
    client_id: str
    host: str
    assignment: tuple[TopicPartition, ...] = ()
    """What it reads, in order."""
    instance_id: str | None = None
    """The name of a static member."""
    rack_id: str | None = None
    epoch: int | None = None
    """None in classic groups, as is all that follows."""
    target: tuple[TopicPartition, ...] | None = None
    """What it shall read."""
    topics: tuple[str, ...] = ()
    """Names that it subscribes to."""
    pattern: str | None = None
    is_classic: bool | None = None
    """Whether it speaks the classic protocol; None: not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    """A group, as its coordinator sees it."""

    group_id: str
    type: GroupType
    state: str
    protocol_type: str = OF_CONSUMERS
    assignor: str = ""
    members: tuple[GroupMember, ...] = ()
    coordinator: ClusterNode | None = None
    epoch: int | None = None
    assignment_epoch: int | None = None
    """Behind the epoch while the coordinator assigns."""
    operations: frozenset[AccessOperation] | None = None
    """What the caller may do to it; None where that was not asked for."""


@declared
def describe_consumer_groups(
    call: AdminCall, names: str | Iterable[str], *, operations: bool = False
) -> Dialogue[Views]:
    """Describe groups of either protocol; those that are not of KIP-848 as classic ones."""

    def request(names: Sequence[str]) -> ConsumerGroupDescribeRequest:
        return ConsumerGroupDescribeRequest(
            group_ids=list(names), include_authorized_operations=operations
        )

    wanted = group_names(names)
    found = yield from describe_rows(call, wanted, "describing groups", request, _consumer)
    others = [name for name, error in found.errors.items() if _may_be_classic(error)]
    classic = yield from describe_classic_groups(call, others, operations=operations)
    for name in others:
        del found.errors[name]
    found.errors |= classic.errors
    for name, view in classic.values.items():
        if view.protocol_type in ("", OF_CONSUMERS):
            found.values[name] = view
        else:
            found.errors[name] = InvalidArgumentError(
                f"group {name} is no group of consumers, its protocol is {view.protocol_type}: "
                "describe it by describe_classic_groups"
            )
    return found.ordered(wanted)


@declared
def describe_classic_groups(
    call: AdminCall, names: str | Iterable[str], *, operations: bool = False
) -> Dialogue[Views]:
    """Describe groups of the classic protocol: of consumers, of Connect and of others."""

    def request(names: Sequence[str]) -> DescribeGroupsRequest:
        return DescribeGroupsRequest(groups=list(names), include_authorized_operations=operations)

    return describe_rows(call, names, "describing classic groups", request, _classic)


@declared
def describe_share_groups(
    call: AdminCall, names: str | Iterable[str], *, operations: bool = False
) -> Dialogue[Views]:
    """Describe share groups (KIP-932)."""

    def request(names: Sequence[str]) -> ShareGroupDescribeRequest:
        return ShareGroupDescribeRequest(
            group_ids=list(names), include_authorized_operations=operations
        )

    return describe_rows(call, names, "describing share groups", request, _share)


def coordinator_of(call: AdminCall, group: str) -> ClusterNode | None:
    """The broker that has just answered for it."""
    node_id = call.context.coordinators.get((KeyType.GROUP, group))
    address = call.context.cluster.brokers.get(-1 if node_id is None else node_id)
    if node_id is None or address is None:
        return None
    return ClusterNode(node_id, address.host, address.port)


def _may_be_classic(error: Exception) -> bool:
    if isinstance(error, UnsupportedVersionError):
        return True
    return isinstance(error, RefusedError) and error.error in (
        ErrorCode.GROUP_ID_NOT_FOUND,
        ErrorCode.UNSUPPORTED_VERSION,
    )


def _parts(assignment: Assigned) -> tuple[TopicPartition, ...]:
    return tuple(
        sorted(
            TopicPartition(row.topic_name, number)
            for row in assignment.topic_partitions
            for number in row.partitions
        )
    )


def _consumer(call: AdminCall, row: ConsumerGroup) -> GroupView:
    return GroupView(
        group_id=row.group_id,
        type=GroupType.CONSUMER,
        state=row.group_state,
        assignor=row.assignor_name,
        members=tuple(_consumer_member(member) for member in row.members),
        coordinator=coordinator_of(call, row.group_id),
        epoch=row.group_epoch,
        assignment_epoch=row.assignment_epoch,
        operations=operations_of(row.authorized_operations),
    )


def _consumer_member(row: ConsumerGroup.Member) -> GroupMember:
    return GroupMember(
        member_id=row.member_id,
        client_id=row.client_id,
        host=row.client_host,
        assignment=_parts(row.assignment),
        instance_id=row.instance_id,
        rack_id=row.rack_id,
        epoch=row.member_epoch,
        target=_parts(row.target_assignment),
        topics=tuple(row.subscribed_topic_names),
        pattern=row.subscribed_topic_regex or None,
        is_classic=None if row.member_type < 0 else row.member_type == CLASSIC_MEMBER,
    )


def _classic(call: AdminCall, row: ClassicGroup) -> GroupView:
    is_of_consumers = row.protocol_type == OF_CONSUMERS
    return GroupView(
        group_id=row.group_id,
        type=GroupType.CLASSIC,
        state=row.group_state,
        protocol_type=row.protocol_type,
        assignor=row.protocol_data,
        members=tuple(
            GroupMember(
                member_id=member.member_id,
                client_id=member.client_id,
                host=member.client_host,
                assignment=tuple(sorted(read_assignment(member.member_assignment)))
                if is_of_consumers
                else (),
                instance_id=member.group_instance_id,
            )
            for member in row.members
        ),
        coordinator=coordinator_of(call, row.group_id),
        operations=operations_of(row.authorized_operations),
    )


def _share(call: AdminCall, row: ShareGroup) -> GroupView:
    return GroupView(
        group_id=row.group_id,
        type=GroupType.SHARE,
        state=row.group_state,
        protocol_type="share",
        assignor=row.assignor_name,
        members=tuple(
            GroupMember(
                member_id=member.member_id,
                client_id=member.client_id,
                host=member.client_host,
                assignment=_parts(member.assignment),
                rack_id=member.rack_id,
                epoch=member.member_epoch,
                topics=tuple(member.subscribed_topic_names),
            )
            for member in row.members
        ),
        coordinator=coordinator_of(call, row.group_id),
        epoch=row.group_epoch,
        assignment_epoch=row.assignment_epoch,
        operations=operations_of(row.authorized_operations),
    )
