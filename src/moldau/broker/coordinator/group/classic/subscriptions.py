"""Which topics the members of a classic consumer group read.

Their metadata are opaque to the protocol, but the coordinator looks into those of consumers: an
offset must not expire, or be deleted, while a member reads its topic. Bytes that are no
subscription mean that it is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable

from moldau.errors import DecodeError
from moldau.protocol.messages.stored.consumer_protocol import ConsumerProtocolSubscription
from moldau.protocol.wire.compile import decode_prefix

CONSUMER = "consumer"
"""The protocol type of consumers."""
_VERSION_SIZE = 2


def subscribed_topics(subscriptions: Iterable[bytes]) -> frozenset[str] | None:
    """All topics of these subscriptions, or None if one cannot be read."""
    topics: set[str] = set()
    for subscription in subscriptions:
        found = topics_of(subscription)
        if found is None:
            return None
        topics.update(found)
    return frozenset(topics)


def topics_of(subscription: bytes) -> list[str] | None:
    """The topics of one subscription; later versions begin like those that we know."""
    version = int.from_bytes(subscription[:_VERSION_SIZE], "big", signed=True)
    if len(subscription) < _VERSION_SIZE or version < 0:
        return None
    known = min(version, ConsumerProtocolSubscription.VERSIONS.high)
    try:
        decoded, _ = decode_prefix(
            ConsumerProtocolSubscription, known, memoryview(subscription)[_VERSION_SIZE:]
        )
    except DecodeError:
        return None
    return decoded.topics
