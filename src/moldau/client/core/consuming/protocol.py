"""What members of a classic group send each other, as bytes: Java's and librdkafka's form."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from struct import Struct as Packer
from struct import error as PackError

from moldau.client.core.consuming.assignors import Member
from moldau.client.topic_partition import TopicPartition
from moldau.errors import DecodeError
from moldau.platform.buffers import Buffer
from moldau.protocol.messages.stored.consumer_protocol import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
)
from moldau.protocol.wire.compile import decode, encode

__all__ = ["read_assignment", "read_member", "write_assignment", "write_subscription"]

NEWEST = 3
EAGER = 1
"""The version of a subscription that has no generation: the memory of the sticky one has it."""
_VERSION, _COUNT = Packer(">h"), Packer(">i")

SubscribedPart = ConsumerProtocolSubscription.TopicPartition
AssignedPart = ConsumerProtocolAssignment.TopicPartition


def write_subscription(
    assignor: str,
    topics: Iterable[str],
    owned: Iterable[TopicPartition],
    generation: int,
    rack: str,
) -> bytes:
    """A member's subscription, and what it has or has had."""
    has_memory = assignor == "sticky"
    remembered = list(owned)
    body = ConsumerProtocolSubscription(
        topics=sorted(topics),
        user_data=_memory(remembered, generation) if has_memory else None,
        owned_partitions=[
            SubscribedPart(topic=topic, partitions=numbers)
            for topic, numbers in _by_topic([] if has_memory else remembered).items()
        ],
        generation_id=generation,
        rack_id=rack or None,
    )
    return _VERSION.pack(NEWEST) + encode(body, NEWEST)


def read_member(member_id: str, instance_id: str | None, data: Buffer) -> Member:
    """Another member's subscription, as the leader gets it."""
    version = _version(data)
    body = decode(ConsumerProtocolSubscription, min(version, NEWEST), memoryview(data)[2:])
    owned = tuple(
        TopicPartition(row.topic, number)
        for row in body.owned_partitions
        for number in row.partitions
    )
    generation = body.generation_id
    if not owned and body.user_data:
        owned, generation = _remembered(bytes(body.user_data))
    return Member(member_id, frozenset(body.topics), owned, generation, instance_id)


def write_assignment(parts: Iterable[TopicPartition]) -> bytes:
    rows = [
        AssignedPart(topic=topic, partitions=numbers) for topic, numbers in _by_topic(parts).items()
    ]
    return _VERSION.pack(1) + encode(ConsumerProtocolAssignment(assigned_partitions=rows), 1)


def read_assignment(data: Buffer) -> set[TopicPartition]:
    """Nothing, where the leader has sent nothing."""
    if not len(data):
        return set()
    version = _version(data)
    body = decode(ConsumerProtocolAssignment, min(version, NEWEST), memoryview(data)[2:])
    return {
        TopicPartition(row.topic, number)
        for row in body.assigned_partitions
        for number in row.partitions
    }


def _version(data: Buffer) -> int:
    if len(data) < _VERSION.size:
        raise DecodeError(f"a member sent {len(data)} bytes, which have no version")
    (version,) = _VERSION.unpack_from(data)
    return int(version)


def _by_topic(parts: Iterable[TopicPartition]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for part in sorted(parts):
        found[part.topic].append(part.partition)
    return found


def _memory(parts: list[TopicPartition], generation: int) -> bytes:
    """As Java's StickyAssignor writes it (its schema 1)."""
    topics = _by_topic(parts)
    pieces = [_COUNT.pack(len(topics))]
    for topic, numbers in topics.items():
        name = topic.encode()
        pieces += [_VERSION.pack(len(name)), name, _COUNT.pack(len(numbers))]
        pieces += [_COUNT.pack(number) for number in numbers]
    return b"".join([*pieces, _COUNT.pack(generation)])


def _remembered(data: bytes) -> tuple[tuple[TopicPartition, ...], int]:
    """Another assignor's memory looks otherwise, and means nothing here."""
    try:
        return _read_memory(data)
    except (PackError, UnicodeDecodeError, ValueError):
        return (), -1


def _read_memory(data: bytes) -> tuple[tuple[TopicPartition, ...], int]:
    parts: list[TopicPartition] = []
    (topic_count,) = _COUNT.unpack_from(data)
    position = _COUNT.size
    for _ in range(topic_count):
        (size,) = _VERSION.unpack_from(data, position)
        position += _VERSION.size
        topic = data[position : position + size].decode()
        position += size
        (count,) = _COUNT.unpack_from(data, position)
        position += _COUNT.size
        if not 0 <= count <= len(data):
            raise ValueError(count)
        for _ in range(count):
            (number,) = _COUNT.unpack_from(data, position)
            position += _COUNT.size
            parts.append(TopicPartition(topic, number))
    generation = -1
    if position + _COUNT.size <= len(data):
        (generation,) = _COUNT.unpack_from(data, position)
    return tuple(parts), generation
