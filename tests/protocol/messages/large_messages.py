"""Honest messages about thousands of partitions, as clients and brokers send them.

Of one topic, or of as many topics: these are the heaviest, since each is a struct and a list.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest
from moldau.protocol.messages.data.offset_for_leader_epoch import OffsetForLeaderEpochRequest
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest
from moldau.protocol.messages.group.offset_fetch import OffsetFetchRequest
from moldau.protocol.messages.topic.describe_topic_partitions import DescribeTopicPartitionsResponse
from moldau.protocol.wire.construct import blank
from moldau.protocol.wire.schema import Message

NOW_MS = 1_700_000_000_000


class Kind(NamedTuple):
    """A request about topics, and what it calls their parts."""

    request: Any
    versions: tuple[int, ...]
    topic: Any
    partition: Any
    """None where a partition is its number."""
    name: str = "topic"
    partitions: str = "partitions"


def made(cls: Any, **values: object) -> Any:
    """A struct whose other fields have their defaults."""
    struct = blank(cls)
    for name, value in values.items():
        setattr(struct, name, value)
    return struct


def fetch(version: int, count: int) -> tuple[Message, int]:
    topic = FetchRequest.FetchTopic
    partitions = [
        made(
            topic.FetchPartition,
            partition=index,
            current_leader_epoch=300,
            fetch_offset=10_000_000 + index,
            partition_max_bytes=1 << 20,
        )
        for index in range(count)
    ]
    named = {"topic": "orders"} if version < 13 else {"topic_id": bytes(range(16))}
    return made(FetchRequest, topics=[made(topic, partitions=partitions, **named)]), version


def list_offsets(version: int, count: int) -> tuple[Message, int]:
    topic = ListOffsetsRequest.ListOffsetsTopic
    partitions = [
        made(topic.ListOffsetsPartition, partition_index=index, timestamp=NOW_MS)
        for index in range(count)
    ]
    return made(ListOffsetsRequest, topics=[made(topic, name="o", partitions=partitions)]), version


def of_topics(kind: Kind, version: int, count: int) -> tuple[Message, int]:
    """A request for one partition in each of so many topics, whose names are short."""
    topics = [
        made(
            kind.topic,
            **{
                kind.name: f"t{index:05}",
                kind.partitions: [index if kind.partition is None else made(kind.partition)],
            },
        )
        for index in range(count)
    ]
    return made(kind.request, topics=topics), version


def described_partitions(replicas: int, count: int) -> tuple[Message, int]:
    topic = DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponseTopic
    nodes = list(range(1000, 1000 + replicas))
    partitions = [
        made(
            topic.DescribeTopicPartitionsResponsePartition,
            partition_index=index,
            leader_id=nodes[0],
            leader_epoch=300,
            replica_nodes=nodes,
            isr_nodes=nodes,
            eligible_leader_replicas=[],
            last_known_elr=[],
        )
        for index in range(count)
    ]
    return made(
        DescribeTopicPartitionsResponse, topics=[made(topic, name="o", partitions=partitions)]
    ), 0


KINDS = (
    Kind(FetchRequest, (4, 12), FetchRequest.FetchTopic, FetchRequest.FetchTopic.FetchPartition),
    Kind(
        ListOffsetsRequest,
        (1, 10),
        ListOffsetsRequest.ListOffsetsTopic,
        ListOffsetsRequest.ListOffsetsTopic.ListOffsetsPartition,
        "name",
    ),
    Kind(
        OffsetCommitRequest,
        (2, 9),
        OffsetCommitRequest.OffsetCommitRequestTopic,
        OffsetCommitRequest.OffsetCommitRequestTopic.OffsetCommitRequestPartition,
        "name",
    ),
    Kind(
        OffsetFetchRequest,
        (1, 7),
        OffsetFetchRequest.OffsetFetchRequestTopic,
        None,
        "name",
        "partition_indexes",
    ),
    Kind(
        OffsetForLeaderEpochRequest,
        (2, 4),
        OffsetForLeaderEpochRequest.OffsetForLeaderTopic,
        OffsetForLeaderEpochRequest.OffsetForLeaderTopic.OffsetForLeaderPartition,
    ),
)
LARGE: dict[str, Callable[[int], tuple[Message, int]]] = {
    "Fetch v12": partial(fetch, 12),
    "Fetch v4": partial(fetch, 4),
    "Fetch v17": partial(fetch, 17),
    "ListOffsets v7": partial(list_offsets, 7),
    "ListOffsets v10": partial(list_offsets, 10),
    **{
        f"topics of {kind.request.__name__} v{version}": partial(of_topics, kind, version)
        for kind in KINDS
        for version in kind.versions
    },
    "partitions of one replica": partial(described_partitions, 1),
    "partitions of three replicas": partial(described_partitions, 3),
}
