"""What classic consumers embed in JoinGroup and SyncGroup: subscriptions in, assignments out.

Both begin with their version. Assignments are given in the version in which the member subscribed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from moldau.broker.coordinator.group.classic.member import MemberProtocol
from moldau.broker.metadata.image import Image
from moldau.errors import DecodeError
from moldau.protocol.messages.stored.consumer_protocol import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
)
from moldau.protocol.wire.compile import decode_prefix, encode
from moldau.protocol.wire.schema import Data

CONSUMER = "consumer"
"""The protocol type of consumers."""
_VERSION_SIZE = 2

Embedded = TypeVar("Embedded", bound=Data)


def subscription_of(protocols: Sequence[MemberProtocol]) -> ConsumerProtocolSubscription:
    """What the member reads and has, by the metadata of the protocol that it prefers."""
    return _decoded(ConsumerProtocolSubscription, protocols[0].metadata)


def subscription_in(metadata: bytes) -> ConsumerProtocolSubscription:
    return _decoded(ConsumerProtocolSubscription, metadata)


def assignment_in(data: bytes) -> ConsumerProtocolAssignment:
    return _decoded(ConsumerProtocolAssignment, data)


def assignment_for(metadata: bytes, owned: Mapping[bytes, Iterable[int]], image: Image) -> bytes:
    """These partitions for a member that subscribed with this metadata; gone topics left out."""
    by_id = image.topics.by_id
    assignment = ConsumerProtocolAssignment(
        assigned_partitions=[
            ConsumerProtocolAssignment.TopicPartition(
                topic=by_id[topic_id].name, partitions=list(partitions)
            )
            for topic_id, partitions in owned.items()
            if topic_id in by_id
        ]
    )
    version = _version(metadata)
    known = min(version, ConsumerProtocolAssignment.VERSIONS.high)
    return version.to_bytes(_VERSION_SIZE, "big") + encode(assignment, known)


def by_topic_id(
    partitions: Iterable[
        ConsumerProtocolSubscription.TopicPartition | ConsumerProtocolAssignment.TopicPartition
    ],
    image: Image,
) -> dict[bytes, list[int]]:
    """The same by ids; topics that are gone left out."""
    by_name = image.topics.by_name
    return {
        by_name[entry.topic].topic_id: list(entry.partitions)
        for entry in partitions
        if entry.topic in by_name and entry.partitions
    }


def _decoded(kind: type[Embedded], data: bytes) -> Embedded:
    version = min(_version(data), kind.VERSIONS.high)
    decoded, _ = decode_prefix(kind, version, memoryview(data)[_VERSION_SIZE:])
    return decoded


def _version(data: bytes) -> int:
    version = int.from_bytes(data[:_VERSION_SIZE], "big", signed=True)
    if len(data) < _VERSION_SIZE or version < 0:
        raise DecodeError("a consumer's metadata begin with a version, which these do not")
    return version
