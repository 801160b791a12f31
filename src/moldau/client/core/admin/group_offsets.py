"""Offsets that groups of consumers and of Kafka Streams have committed, from outside of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil
from moldau.client.core.admin.groups import group_noun
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.partitions import by_topic
from moldau.client.core.admin.routes import Coordinators
from moldau.client.core.committed_offset import CommittedOffset
from moldau.client.core.dialogue import Dialogue
from moldau.client.core.group_offsets import committed_in
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest, OffsetCommitResponse
from moldau.protocol.messages.group.offset_delete import OffsetDeleteRequest, OffsetDeleteResponse
from moldau.protocol.messages.group.offset_fetch import OffsetFetchRequest, OffsetFetchResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = [
    "CommittedOffset",
    "GroupParts",
    "alter_group_offsets",
    "delete_group_offsets",
    "list_group_offsets",
]

NAMES_UP_TO = 9
"""The version after it names topics by ids, which an offset may outlive."""
UNSTABLE = frozenset({ErrorCode.UNSTABLE_OFFSET_COMMIT})
FetchedGroup = OffsetFetchRequest.OffsetFetchRequestGroup
FetchedTopic = FetchedGroup.OffsetFetchRequestTopics
CommittedTopic = OffsetCommitRequest.OffsetCommitRequestTopic
DeletedTopic = OffsetDeleteRequest.OffsetDeleteRequestTopic


GroupParts: TypeAlias = list[TopicPartition] | None
"""Those that are asked for; None for all that have offsets."""
GroupOffsets: TypeAlias = dict[TopicPartition, CommittedOffset | None]


@declared
def list_group_offsets(
    call: AdminCall, groups: Mapping[str, GroupParts], *, require_stable: bool = False
) -> Dialogue[Outcomes[str, GroupOffsets]]:
    """By group and partition; None for a partition that was asked for and has no offset."""

    def request(names: Sequence[str]) -> OffsetFetchRequest:
        return OffsetFetchRequest(
            groups=[_fetched(name, groups[name]) for name in names], require_stable=require_stable
        )

    plan = Plan(
        what="listing offsets of groups",
        route=Coordinators[str](lambda name: name),
        request=request,
        read=_found,
        noun=group_noun,
        retried=UNSTABLE,
        newest=NAMES_UP_TO,
    )
    return fulfil(call, plan, groups)


@declared
def alter_group_offsets(
    call: AdminCall, group: str, offsets: Mapping[TopicPartition, CommittedOffset | int]
) -> Dialogue[Outcomes[TopicPartition, None]]:
    """The group must have no members."""

    def request(parts: Sequence[TopicPartition]) -> OffsetCommitRequest:
        return OffsetCommitRequest(
            group_id=group,
            topics=[
                CommittedTopic(name=topic, partitions=[_committed(part, offsets) for part in rows])
                for topic, rows in by_topic(parts).items()
            ],
        )

    plan = Plan(
        what=f"setting offsets of group {group}",
        route=Coordinators[TopicPartition](lambda part: group),
        request=request,
        read=_altered,
        noun=lambda part: f"offset of {part} in group {group}",
        retried=frozenset({ErrorCode.REBALANCE_IN_PROGRESS}),
        newest=NAMES_UP_TO,
    )
    return fulfil(call, plan, offsets)


@declared
def delete_group_offsets(
    call: AdminCall, group: str, parts: Iterable[TopicPartition]
) -> Dialogue[Outcomes[TopicPartition, None]]:
    """Delete a group's offsets of topics that no member subscribes to."""

    def request(parts: Sequence[TopicPartition]) -> OffsetDeleteRequest:
        row = DeletedTopic.OffsetDeleteRequestPartition
        return OffsetDeleteRequest(
            group_id=group,
            topics=[
                DeletedTopic(
                    name=topic, partitions=[row(partition_index=part.partition) for part in rows]
                )
                for topic, rows in by_topic(parts).items()
            ],
        )

    plan = Plan(
        what=f"deleting offsets of group {group}",
        route=Coordinators[TopicPartition](lambda part: group),
        request=request,
        read=_deleted,
        noun=lambda part: f"offset of {part} in group {group}",
    )
    return fulfil(call, plan, parts)


def _fetched(group: str, parts: GroupParts) -> FetchedGroup:
    topics = None
    if parts is not None:
        topics = [
            FetchedTopic(name=topic, partition_indexes=[part.partition for part in rows])
            for topic, rows in by_topic(parts).items()
        ]
    return FetchedGroup(group_id=group, topics=topics)


def _committed(
    part: TopicPartition, offsets: Mapping[TopicPartition, CommittedOffset | int]
) -> CommittedTopic.OffsetCommitRequestPartition:
    given = offsets[part]
    wanted = CommittedOffset(given) if isinstance(given, int) else given
    return CommittedTopic.OffsetCommitRequestPartition(
        partition_index=part.partition,
        committed_offset=wanted.offset,
        committed_leader_epoch=wanted.wire_epoch,
        committed_metadata=wanted.metadata,
    )


def _found(
    answer: OffsetFetchResponse, names: Sequence[str]
) -> Iterator[tuple[str, GroupOffsets | Failure]]:
    """An error of a partition is the group's: half of its offsets would mislead."""
    for group in answer.groups:
        code, offsets = group.error_code, GroupOffsets()
        for topic in group.topics:
            for row in topic.partitions:
                code = code or row.error_code
                part = TopicPartition(topic.name, row.partition_index)
                offsets[part] = committed_in(row)
        yield group.group_id, failure_or(code, None, offsets)


def _altered(
    answer: OffsetCommitResponse, parts: Sequence[TopicPartition]
) -> Iterator[tuple[TopicPartition, Failure | None]]:
    for topic in answer.topics:
        for row in topic.partitions:
            part = TopicPartition(topic.name, row.partition_index)
            yield part, failure_or(row.error_code, None, None)


def _deleted(
    answer: OffsetDeleteResponse, parts: Sequence[TopicPartition]
) -> Iterator[tuple[TopicPartition, Failure | None]]:
    if answer.error_code:
        yield from ((part, Failure(ErrorCode.read(answer.error_code))) for part in parts)
        return
    for topic in answer.topics:
        for row in topic.partitions:
            part = TopicPartition(topic.name, row.partition_index)
            yield part, failure_or(row.error_code, None, None)
