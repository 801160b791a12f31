"""What replicas hold, each read where it lies and not at its leader, to be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.partitions import by_topic
from moldau.client.core.dialogue import Answer, Ask, Asks, Dialogue
from moldau.client.core.metadata import refresh_now
from moldau.client.errors import refusal
from moldau.client.topic_partition import TopicPartition
from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.records.batch import HEADER_SIZE, BatchHeader, read_header
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID

__all__ = ["Found", "Offsets", "ReplicaBatches", "read_replicas"]

UNKNOWN = -1
Topic = FetchRequest.FetchTopic
Row = FetchResponse.FetchableTopicResponse.PartitionData
Offsets: TypeAlias = Mapping[TopicPartition, int]


@dataclass(frozen=True, slots=True)
class ReplicaBatches:
    """What one replica of a partition holds from an offset on."""

    high_watermark: int = UNKNOWN
    headers: tuple[BatchHeader, ...] = ()
    error: MoldauError | None = None


Found: TypeAlias = dict[int, dict[TopicPartition, ReplicaBatches]]
"""By broker and partition."""


@declared
def read_replicas(
    call: AdminCall, wanted: Mapping[int, Offsets], *, max_bytes: int, max_wait_ms: int
) -> Dialogue[Found]:
    """By broker and partition; a broker that cannot be asked has an error for each of its own."""
    cluster = call.context.cluster
    topics = {part.topic for offsets in wanted.values() for part in offsets}
    if topics - cluster.topics.keys() or wanted.keys() - cluster.brokers.keys():
        error = yield from refresh_now(call.context, sorted(topics))
        if error is not None:
            raise error
    ids = {name: cluster.topics[name].topic_id for name in topics & cluster.topics.keys()}
    asks = [
        Ask(_request(offsets, ids, max_bytes, max_wait_ms), broker)
        for broker, offsets in wanted.items()
    ]
    received = yield Asks(tuple(asks))
    call.now_ms = received.now_ms
    names = {topic_id: name for name, topic_id in ids.items()}
    return {
        broker: _read(answer, list(offsets), names)
        for (broker, offsets), answer in zip(wanted.items(), received.answers, strict=True)
    }


def _request(
    offsets: Offsets, ids: Mapping[str, bytes], max_bytes: int, max_wait_ms: int
) -> FetchRequest:
    return FetchRequest(
        max_wait_ms=max_wait_ms,
        min_bytes=1,
        max_bytes=max_bytes,
        topics=[
            Topic(
                topic_id=ids.get(topic, NULL_UUID),
                partitions=[
                    Topic.FetchPartition(
                        partition=part.partition,
                        fetch_offset=offsets[part],
                        partition_max_bytes=max_bytes,
                    )
                    for part in parts
                ],
            )
            for topic, parts in by_topic(offsets).items()
        ],
        forgotten_topics_data=[],
    )


def _read(
    answer: Answer, parts: Sequence[TopicPartition], names: Mapping[bytes, str]
) -> dict[TopicPartition, ReplicaBatches]:
    if isinstance(answer, MoldauError):
        return {part: ReplicaBatches(error=answer) for part in parts}
    assert isinstance(answer, FetchResponse), f"{answer!r} answers no fetch"
    found = {part: ReplicaBatches() for part in parts}
    for topic in answer.responses:
        for row in topic.partitions:
            part = TopicPartition(names.get(topic.topic_id, ""), row.partition_index)
            if part in found:
                found[part] = _of_row(part, row)
    return found


def _of_row(part: TopicPartition, row: Row) -> ReplicaBatches:
    if row.error_code != ErrorCode.NONE:
        return ReplicaBatches(error=refusal(f"replica of {part}", ErrorCode.read(row.error_code)))
    headers = _headers(memoryview(row.records or b""))
    return ReplicaBatches(row.high_watermark, tuple(headers))


def _headers(records: memoryview) -> list[BatchHeader]:
    """Of the batches that came whole."""
    found = []
    position = 0
    while len(records) - position >= HEADER_SIZE:
        header = read_header(records, position)
        if not HEADER_SIZE <= header.size <= len(records) - position:
            break
        found.append(header)
        position += header.size
    return found
