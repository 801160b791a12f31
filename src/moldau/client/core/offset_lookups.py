"""Dialogues that ask leaders for offsets: of the beginning, of the end, of a moment in time.

Places are negative timestamps of ListOffsets. The end for a reader of committed records
only is the last stable offset: below it every transaction is decided.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import IntEnum

from moldau.client.core.cluster import Leader
from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Answer, Ask, Asks, Dialogue
from moldau.client.core.metadata import find_leaders
from moldau.client.errors import refusal
from moldau.client.topic_partition import TopicPartition
from moldau.errors import MoldauError
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest, ListOffsetsResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["EARLIEST", "LATEST", "NOT_FOUND", "Isolation", "look_up_offsets"]

LATEST = -1
EARLIEST = -2
NOT_FOUND = -1
"""The offset where no record is that late."""
CONSUMER = -1

WantedTopic = ListOffsetsRequest.ListOffsetsTopic
WantedPartition = WantedTopic.ListOffsetsPartition


class Isolation(IntEnum):
    """What a reader is shown; the number is the wire's."""

    READ_UNCOMMITTED = 0
    READ_COMMITTED = 1


def look_up_offsets(
    context: ClientContext, wanted: Mapping[TopicPartition, int], isolation: Isolation, now_ms: int
) -> Dialogue[dict[TopicPartition, int]]:
    """The offset of each timestamp or place; `NOT_FOUND` where no record is that late."""
    deadline = context.deadline(f"looking up offsets of {_shown(wanted)}", now_ms)
    found: dict[TopicPartition, int] = {}
    while left := [part for part in wanted if part not in found]:
        leaders = yield from find_leaders(context, left, now_ms, deadline)
        questions = _by_leader(leaders)
        received = yield Asks(
            tuple(
                Ask(_request(context, parts, wanted, leaders, isolation), node_id)
                for node_id, parts in questions.items()
            )
        )
        now_ms = received.now_ms
        cause: MoldauError | None = None
        for parts, answer in zip(questions.values(), received.answers, strict=True):
            cause = _take(context, parts, answer, found) or cause
        if cause is not None:
            received = yield deadline.pause(now_ms, cause)
            now_ms = received.now_ms
    return {part: found[part] for part in wanted}


def _by_leader(leaders: Mapping[TopicPartition, Leader]) -> dict[int, list[TopicPartition]]:
    grouped: dict[int, list[TopicPartition]] = defaultdict(list)
    for part, leader in leaders.items():
        grouped[leader.node_id].append(part)
    return grouped


def _request(
    context: ClientContext,
    parts: Iterable[TopicPartition],
    wanted: Mapping[TopicPartition, int],
    leaders: Mapping[TopicPartition, Leader],
    isolation: Isolation,
) -> ListOffsetsRequest:
    topics: dict[str, list[WantedPartition]] = defaultdict(list)
    for part in parts:
        topics[part.topic].append(
            WantedPartition(
                partition_index=part.partition,
                current_leader_epoch=leaders[part].epoch,
                timestamp=wanted[part],
            )
        )
    return ListOffsetsRequest(
        replica_id=CONSUMER,
        isolation_level=isolation,
        topics=[WantedTopic(name=name, partitions=rows) for name, rows in topics.items()],
        timeout_ms=context.settings.request_timeout_ms,
    )


def _take(
    context: ClientContext,
    parts: Iterable[TopicPartition],
    answer: Answer,
    found: dict[TopicPartition, int],
) -> MoldauError | None:
    """Keep what was found; why some of it was not, if asking again may help."""
    if isinstance(answer, MoldauError):
        for part in parts:
            context.cluster.mark_stale(part.topic)
        return answer
    assert isinstance(answer, ListOffsetsResponse), f"{answer!r} answers no look-up"
    cause: MoldauError | None = None
    for topic in answer.topics:
        for row in topic.partitions:
            part = TopicPartition(topic.name, row.partition_index)
            code = ErrorCode.read(row.error_code)
            if code is ErrorCode.NONE:
                found[part] = row.offset
            else:
                cause = _judge(context, part, code)
    return cause


def _judge(context: ClientContext, part: TopicPartition, code: ErrorCode) -> MoldauError:
    error = refusal(str(part), code, api_key=ApiKey.LIST_OFFSETS)
    if not code.retriable:
        raise error
    context.cluster.mark_stale(part.topic)
    return error


def _shown(parts: Iterable[TopicPartition]) -> str:
    names = [str(part) for part in parts]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
