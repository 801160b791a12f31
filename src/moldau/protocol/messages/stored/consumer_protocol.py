"""What classic consumers say to each other through JoinGroup and SyncGroup; opaque to brokers.

Each begins with a two-byte version and is not flexible. Readers take a version above their own as
their highest and ignore bytes that remain; an assignor may hide more in the user data.

Versions of both: 1 owned partitions (KIP-429), 2 generation, against stale owners (KIP-792),
3 rack (KIP-881). The assignment's fields never changed.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Data, Struct
from moldau.protocol.wire.types import ByteView, Int32, String, TopicName


class ConsumerProtocolSubscription(Data, versions="0-3"):
    """A member's subscription, and what it owns."""

    topics: list[String]
    user_data: ByteView | None = None
    """The assignor's own; the sticky one keeps its memory here."""
    owned_partitions: list[TopicPartition] = at("1+", ignorable=True)
    """Kept through the rebalance, if cooperative."""
    generation_id: Int32 = at("2+", default=-1, ignorable=True)
    """In which it came to own them; -1 if in none."""
    rack_id: String | None = at("3+", default=None, ignorable=True)

    class TopicPartition(Struct):
        topic: TopicName = at(map_key=True)
        partitions: list[Int32]


class ConsumerProtocolAssignment(Data, versions="0-3"):
    """What a member is assigned."""

    assigned_partitions: list[TopicPartition]
    user_data: ByteView | None = None
    """The assignor's own."""

    class TopicPartition(Struct):
        topic: TopicName = at(map_key=True)
        partitions: list[Int32]
