"""Where share groups begin in each partition, and setting it from outside of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil
from moldau.client.core.admin.group_offsets import GroupParts
from moldau.client.core.admin.groups import group_noun
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.partitions import by_topic
from moldau.client.core.admin.routes import Coordinators
from moldau.client.core.dialogue import Dialogue
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.share.alter_share_group_offsets import (
    AlterShareGroupOffsetsRequest,
    AlterShareGroupOffsetsResponse,
)
from moldau.protocol.messages.share.delete_share_group_offsets import (
    DeleteShareGroupOffsetsRequest,
    DeleteShareGroupOffsetsResponse,
)
from moldau.protocol.messages.share.describe_share_group_offsets import (
    DescribeShareGroupOffsetsRequest,
    DescribeShareGroupOffsetsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = [
    "ShareOffset",
    "alter_share_group_offsets",
    "delete_share_group_offsets",
    "list_share_group_offsets",
]

NOT_KNOWN = -1
MOVED = frozenset({ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.LEADER_NOT_AVAILABLE})
"""The coordinator has asked a partition's leader for its end, and that is being elected."""
Group = DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup
Asked = Group.DescribeShareGroupOffsetsRequestTopic
Altered = AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestTopic
Deleted = DeleteShareGroupOffsetsRequest.DeleteShareGroupOffsetsRequestTopic


class ShareOffset(NamedTuple):
    """Below it everything is settled."""

    start_offset: int
    leader_epoch: int
    lag: int | None
    """Records still to settle; None: not known."""


ShareOffsets: TypeAlias = dict[TopicPartition, ShareOffset | None]


@declared
def list_share_group_offsets(
    call: AdminCall, groups: Mapping[str, GroupParts]
) -> Dialogue[Outcomes[str, ShareOffsets]]:
    """By group and partition; None where a group has not begun."""

    def request(names: Sequence[str]) -> DescribeShareGroupOffsetsRequest:
        return DescribeShareGroupOffsetsRequest(
            groups=[Group(group_id=name, topics=_asked(groups[name])) for name in names]
        )

    plan = Plan(
        what="listing offsets of share groups",
        route=Coordinators[str](lambda name: name),
        request=request,
        read=_listed,
        noun=group_noun,
        retried=MOVED,
    )
    return fulfil(call, plan, groups)


@declared
def alter_share_group_offsets(
    call: AdminCall, group: str, offsets: Mapping[TopicPartition, int]
) -> Dialogue[Outcomes[TopicPartition, None]]:
    """The group must have no members."""

    def request(parts: Sequence[TopicPartition]) -> AlterShareGroupOffsetsRequest:
        row = Altered.AlterShareGroupOffsetsRequestPartition
        return AlterShareGroupOffsetsRequest(
            group_id=group,
            topics=[
                Altered(
                    topic_name=topic,
                    partitions=[
                        row(partition_index=part.partition, start_offset=offsets[part])
                        for part in rows
                    ],
                )
                for topic, rows in by_topic(parts).items()
            ],
        )

    plan = Plan(
        what=f"setting offsets of group {group}",
        route=Coordinators[TopicPartition](lambda part: group),
        request=request,
        read=_altered,
        noun=lambda part: f"offset of {part} in group {group}",
        retried=MOVED,
    )
    return fulfil(call, plan, offsets)


@declared
def delete_share_group_offsets(
    call: AdminCall, group: str, topics: Iterable[str]
) -> Dialogue[Outcomes[str, None]]:
    """Delete a share group's offsets of whole topics."""

    def request(topics: Sequence[str]) -> DeleteShareGroupOffsetsRequest:
        return DeleteShareGroupOffsetsRequest(
            group_id=group, topics=[Deleted(topic_name=topic) for topic in topics]
        )

    plan = Plan(
        what=f"deleting offsets of group {group}",
        route=Coordinators[str](lambda topic: group),
        request=request,
        read=_deleted,
        noun=lambda topic: f"offsets of topic {topic} in group {group}",
    )
    return fulfil(call, plan, topics)


def _asked(parts: GroupParts) -> list[Asked] | None:
    if parts is None:
        return None
    return [
        Asked(topic_name=topic, partitions=[part.partition for part in rows])
        for topic, rows in by_topic(parts).items()
    ]


def _listed(
    answer: DescribeShareGroupOffsetsResponse, names: Sequence[str]
) -> Iterator[tuple[str, ShareOffsets | Failure]]:
    for group in answer.groups:
        code, detail, offsets = group.error_code, group.error_message, ShareOffsets()
        for topic in group.topics:
            for row in topic.partitions:
                if not code and row.error_code:
                    code, detail = row.error_code, row.error_message
                lag = None if row.lag == NOT_KNOWN else row.lag
                begun = row.start_offset != NOT_KNOWN
                part = TopicPartition(topic.topic_name, row.partition_index)
                known = ShareOffset(row.start_offset, row.leader_epoch, lag)
                offsets[part] = known if begun else None
        yield group.group_id, failure_or(code, detail, offsets)


def _altered(
    answer: AlterShareGroupOffsetsResponse, parts: Sequence[TopicPartition]
) -> Iterator[tuple[TopicPartition, Failure | None]]:
    if answer.error_code:
        failure = Failure(ErrorCode.read(answer.error_code), answer.error_message)
        yield from ((part, failure) for part in parts)
    for topic in answer.responses:
        for row in topic.partitions:
            part = TopicPartition(topic.topic_name, row.partition_index)
            yield part, failure_or(row.error_code, row.error_message, None)


def _deleted(
    answer: DeleteShareGroupOffsetsResponse, topics: Sequence[str]
) -> Iterator[tuple[str, Failure | None]]:
    if answer.error_code:
        failure = Failure(ErrorCode.read(answer.error_code), answer.error_message)
        yield from ((topic, failure) for topic in topics)
    for row in answer.responses:
        yield row.topic_name, failure_or(row.error_code, row.error_message, None)
