"""Dialogues that keep offsets for a group, from outside of its protocol.

A reader of partitions of its own choice may keep its positions under a group's name: generation
-1 and no member. The coordinator takes that while the group has no members of its own. So tools
that measure the lag of groups see such readers too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from moldau.client.core.cluster import Cluster
from moldau.client.core.committed_offset import CommittedOffset, epoch_or_none
from moldau.client.core.context import ClientContext
from moldau.client.core.coordinators import KeyType, ask_coordinator, forget_coordinator
from moldau.client.core.dialogue import Answer, Dialogue
from moldau.client.core.group_member import Membership
from moldau.client.core.metadata import UNKNOWN, UNKNOWN_TRIES_MAX, know_topics
from moldau.client.errors import CommitFailedError, refusal
from moldau.client.topic_partition import TopicPartition
from moldau.errors import MoldauError
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest, OffsetCommitResponse
from moldau.protocol.messages.group.offset_fetch import OffsetFetchRequest, OffsetFetchResponse
from moldau.protocol.wire.error_codes import ErrorCode, Remedy

__all__ = ["commit_offsets", "committed_in", "fetch_committed", "fetch_offsets"]

NO_OFFSET = -1
_ANY_TOPIC: Mapping[TopicPartition, bytes] = {}

CommittedTopic = OffsetCommitRequest.OffsetCommitRequestTopic
CommittedPartition = CommittedTopic.OffsetCommitRequestPartition
FetchedGroup = OffsetFetchRequest.OffsetFetchRequestGroup
FetchedTopic = FetchedGroup.OffsetFetchRequestTopics
FoundTopic = OffsetFetchResponse.OffsetFetchResponseGroup.OffsetFetchResponseTopics
FoundRow = FoundTopic.OffsetFetchResponsePartitions


class _Row(NamedTuple):
    """One partition of an answer."""

    part: TopicPartition
    code: ErrorCode
    kept: CommittedOffset | None = None


def commit_offsets(
    context: ClientContext,
    group: str,
    offsets: Mapping[TopicPartition, CommittedOffset],
    now_ms: int,
    member_of: Callable[[], Membership] | None = None,
    read_in: Mapping[TopicPartition, bytes] = _ANY_TOPIC,
) -> Dialogue[Mapping[TopicPartition, CommittedOffset]]:
    """Keep these, each being the next offset to read; as a member of the group, or from outside.

    `read_in` has the ids of the topics in which offsets were read. Where another topic has the name
    now, such an offset means nothing and is left out: a reader of the new topic would go on there.
    A partition that stays unknown, as of a topic that was made again with fewer, is refused when
    the others are kept. Returns what was kept.
    """
    deadline = context.deadline(f"committing offsets of group {group}", now_ms)
    left, unknown_tries = dict(offsets), 0
    kept: dict[TopicPartition, CommittedOffset] = {}
    while left:
        now_ms = yield from know_topics(context, {part.topic for part in left}, now_ms, deadline)
        left = {part: one for part, one in left.items() if _is_in(context.cluster, part, read_in)}
        if not left:
            break
        member = Membership(group) if member_of is None else member_of()
        request = _commit_request(context.cluster, member, left)
        now_ms, answer = yield from ask_coordinator(
            context, KeyType.GROUP, group, request, deadline
        )
        rows = [] if isinstance(answer, MoldauError) else list(_commit_rows(context, answer))
        cause = _judge(context, group, answer, rows)
        for row in rows:
            if row.code is ErrorCode.NONE and row.part in left:
                kept[row.part] = left.pop(row.part)
        if cause is not None and any(row.code in UNKNOWN for row in rows):
            if unknown_tries == UNKNOWN_TRIES_MAX:
                raise cause
            unknown_tries += 1
        if left:
            received = yield deadline.pause(now_ms, cause or _silence(group))
            now_ms = received.now_ms
    return kept


def _is_in(cluster: Cluster, part: TopicPartition, read_in: Mapping[TopicPartition, bytes]) -> bool:
    """Whether the topic of this name is the one in which the offset was read, if that is known."""
    topic_id = cluster.topics[part.topic].topic_id
    return read_in.get(part, topic_id) == topic_id


def fetch_offsets(
    context: ClientContext, group: str, parts: Collection[TopicPartition], now_ms: int
) -> Dialogue[dict[TopicPartition, int | None]]:
    """The offset that is kept of each; None where there is nothing."""
    found = yield from fetch_committed(context, group, parts, now_ms)
    return {part: None if kept is None else kept.offset for part, kept in found.items()}


def fetch_committed(
    context: ClientContext, group: str, parts: Collection[TopicPartition], now_ms: int
) -> Dialogue[dict[TopicPartition, CommittedOffset | None]]:
    """What is kept for the group; None where there is nothing."""
    deadline = context.deadline(f"asking for offsets of group {group}", now_ms)
    found: dict[TopicPartition, CommittedOffset | None] = {}
    while left := [part for part in parts if part not in found]:
        now_ms = yield from know_topics(context, {part.topic for part in left}, now_ms, deadline)
        request = _fetch_request(context.cluster, group, left)
        now_ms, answer = yield from ask_coordinator(
            context, KeyType.GROUP, group, request, deadline
        )
        rows = [] if isinstance(answer, MoldauError) else list(_fetch_rows(context, answer))
        cause = _judge(context, group, answer, rows)
        found |= {row.part: row.kept for row in rows if row.code is ErrorCode.NONE}
        if any(part not in found for part in left):
            received = yield deadline.pause(now_ms, cause or _silence(group))
            now_ms = received.now_ms
    return {part: found[part] for part in parts}


def committed_in(row: FoundRow) -> CommittedOffset | None:
    """What a row of an answer has for its partition."""
    if row.committed_offset == NO_OFFSET:
        return None
    epoch = epoch_or_none(row.committed_leader_epoch)
    return CommittedOffset(row.committed_offset, epoch, row.metadata or "")


def _judge(
    context: ClientContext, group: str, answer: Answer, rows: Iterable[_Row]
) -> MoldauError | None:
    """Why some of it was not done, if it may be done later; raised if not."""
    if isinstance(answer, MoldauError):
        forget_coordinator(context, KeyType.GROUP, group)
        return answer
    cause: MoldauError | None = None
    for row in rows:
        if row.code is not ErrorCode.NONE:
            cause = _refusal(group, row)
            if not row.code.retriable and row.code is not ErrorCode.STALE_MEMBER_EPOCH:
                raise cause
            if row.code.remedy is Remedy.REFIND:
                forget_coordinator(context, KeyType.GROUP, group)
            if row.code.refreshes_metadata:
                context.cluster.mark_stale(row.part.topic)
    return cause


def _refusal(group: str, row: _Row) -> MoldauError:
    match row.code:
        case ErrorCode.GROUP_AUTHORIZATION_FAILED:
            return refusal(f"group {group}", row.code)
        case ErrorCode.TOPIC_AUTHORIZATION_FAILED:
            return refusal(f"topic {row.part.topic}", row.code, api_key=ApiKey.OFFSET_COMMIT)
        case ErrorCode.ILLEGAL_GENERATION | ErrorCode.REBALANCE_IN_PROGRESS:
            return CommitFailedError(group, row.code)
        case ErrorCode.UNKNOWN_MEMBER_ID:
            detail = "the group has members of its own: keep the offsets under another name"
            return refusal(f"group {group}", row.code, detail)
        case _:
            return refusal(f"offset of {row.part} in group {group}", row.code)


def _silence(group: str) -> MoldauError:
    return refusal(f"group {group}", ErrorCode.UNKNOWN_SERVER_ERROR, "its answer left some out")


def _commit_request(
    cluster: Cluster,
    member: Membership,
    offsets: Mapping[TopicPartition, CommittedOffset],
) -> OffsetCommitRequest:
    topics: dict[str, list[CommittedPartition]] = defaultdict(list)
    for part, kept in offsets.items():
        topics[part.topic].append(
            CommittedPartition(
                partition_index=part.partition,
                committed_offset=kept.offset,
                committed_leader_epoch=kept.wire_epoch,
                committed_metadata=kept.metadata,
            )
        )
    return OffsetCommitRequest(
        group_id=member.group,
        generation_id_or_member_epoch=member.generation,
        member_id=member.member_id,
        group_instance_id=member.instance_id,
        topics=[
            CommittedTopic(name=name, topic_id=cluster.topics[name].topic_id, partitions=rows)
            for name, rows in topics.items()
        ],
    )


def _fetch_request(
    cluster: Cluster, group: str, parts: Iterable[TopicPartition]
) -> OffsetFetchRequest:
    topics: dict[str, list[int]] = defaultdict(list)
    for part in parts:
        topics[part.topic].append(part.partition)
    wanted = [
        FetchedTopic(name=name, topic_id=cluster.topics[name].topic_id, partition_indexes=indexes)
        for name, indexes in topics.items()
    ]
    groups = [FetchedGroup(group_id=group, topics=wanted)]
    return OffsetFetchRequest(groups=groups, require_stable=True)


def _commit_rows(context: ClientContext, answer: Answer) -> Iterator[_Row]:
    assert isinstance(answer, OffsetCommitResponse), f"{answer!r} answers no commit"
    for topic in answer.topics:
        name = topic.name or _name_of(context.cluster, topic.topic_id)
        for row in topic.partitions:
            part = TopicPartition(name, row.partition_index)
            yield _Row(part, ErrorCode.read(row.error_code))


def _fetch_rows(context: ClientContext, answer: Answer) -> Iterator[_Row]:
    """An error of the whole group stands for every partition."""
    assert isinstance(answer, OffsetFetchResponse), f"{answer!r} answers no question for offsets"
    for group in answer.groups:
        if group.error_code:
            yield _Row(TopicPartition("", -1), ErrorCode.read(group.error_code))
        for topic in group.topics:
            name = topic.name or _name_of(context.cluster, topic.topic_id)
            for row in topic.partitions:
                part = TopicPartition(name, row.partition_index)
                yield _Row(part, ErrorCode.read(row.error_code), committed_in(row))


def _name_of(cluster: Cluster, topic_id: bytes) -> str:
    return next((name for name, topic in cluster.topics.items() if topic.topic_id == topic_id), "")
