"""Find where a leader epoch ended; called by consumers that check their position, and by followers.

The leader answers with the largest epoch it knows that is not above the one asked for, and the
offset where the next one began (or its log end). A replica that holds more than that has diverged.

Versions: 2 leader epoch check (KIP-320), 3 replica id, 4 flexible. Followers of our time get a
divergence from Fetch 12 and need this API no more.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import BrokerId, Int16, Int32, Int64, TopicName


class OffsetForLeaderEpochRequest(
    Request, key=23, versions="2-4", flexible="4+", listeners=("broker",)
):
    """Asks where the log of a leader epoch ends."""

    replica_id: BrokerId = at("3+", default=-2, ignorable=True)
    """-1 for consumers, -2 for debugging tools."""
    topics: list[OffsetForLeaderTopic]

    class OffsetForLeaderTopic(Struct):
        topic: TopicName = at(map_key=True)
        partitions: list[OffsetForLeaderPartition]

        class OffsetForLeaderPartition(Struct):
            partition: Int32
            current_leader_epoch: Int32 = at(default=-1, ignorable=True)
            """Checked against the leader's own; -1 skips the check."""
            leader_epoch: Int32
            """The epoch whose end is wanted."""


class OffsetForLeaderEpochResponse(Response, key=23, versions="2-4", flexible="4+"):
    """Answers with the nearest epoch known and its end offset."""

    throttle_time_ms: Int32 = at(ignorable=True)
    topics: list[OffsetForLeaderTopicResult]

    class OffsetForLeaderTopicResult(Struct):
        topic: TopicName = at(map_key=True)
        partitions: list[EpochEndOffset]

        class EpochEndOffset(Struct):
            """One partition's answer."""

            error_code: Int16
            partition: Int32
            leader_epoch: Int32 = at(default=-1, ignorable=True)
            """Largest epoch known that is not above the one asked for; -1: none."""
            end_offset: Int64 = -1
            """First offset after that epoch; -1 if it is not known."""
