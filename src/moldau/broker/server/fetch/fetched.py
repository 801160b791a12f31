"""The fetcher, and one partition of it: the request, and in a session what was sent."""

from __future__ import annotations

from typing import Final

from moldau.broker.log.reading import Isolation
from moldau.broker.replica.partition import Partition
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.wire.unseen import is_seen

__all__ = [
    "FOLLOWERS_SERVE_FROM",
    "UNKNOWN",
    "FetchPartition",
    "Fetched",
    "PartitionData",
    "Reader",
    "TopicKey",
    "reader_of",
]

PartitionData = FetchResponse.FetchableTopicResponse.PartitionData
FetchPartition = FetchRequest.FetchTopic.FetchPartition

UNKNOWN: Final = -1
READ_COMMITTED: Final = 1
REPLICA_ID_UNTIL: Final = 14
"""Then it is in a field that consumers leave out."""
FOLLOWERS_SERVE_FROM: Final = 11
"""Versions whose consumers may be served by a follower (KIP-392)."""

TopicKey = str | bytes
"""A topic's name, or its id where the client speaks in ids."""


class Reader:
    """Who fetches, and how far it may see."""

    __slots__ = ("isolation", "leader_only", "replica_id")

    def __init__(self, replica_id: int, isolation: Isolation, *, leader_only: bool) -> None:
        self.replica_id = replica_id
        self.isolation = isolation
        self.leader_only = leader_only

    def __repr__(self) -> str:
        return f"Reader({self.replica_id}, up to the {self.isolation.value})"

    @property
    def is_follower(self) -> bool:
        return self.replica_id >= 0


def reader_of(request: FetchRequest, version: int) -> Reader:
    replica_id = request.replica_id
    if version > REPLICA_ID_UNTIL and is_seen(request, "replica_state"):
        replica_id = request.replica_state.replica_id
    if replica_id >= 0:
        return Reader(replica_id, Isolation.LOG_END, leader_only=True)
    committed = request.isolation_level == READ_COMMITTED
    isolation = Isolation.COMMITTED if committed else Isolation.HIGH_WATERMARK
    return Reader(replica_id, isolation, leader_only=version < FOLLOWERS_SERVE_FROM)


class Fetched:
    """One partition that is fetched."""

    __slots__ = (
        "fetch_offset", "high_watermark", "index", "last_fetched_epoch", "leader_epoch",
        "log_start_offset", "max_bytes", "replica_start_offset", "topic", "turn", "watched",
    )  # fmt: skip

    def __init__(self, topic: TopicKey, asked: FetchPartition) -> None:
        self.topic = topic
        self.index = asked.partition
        self.high_watermark = UNKNOWN
        """As last sent, in a session."""
        self.log_start_offset = UNKNOWN
        """The same."""
        self.turn = 0
        """Its place in the order of its session: smaller ones come before it."""
        self.watched: Partition | None = None
        """What tells its session of changes."""
        self.ask(asked)

    def ask(self, asked: FetchPartition) -> None:
        """What the client wants from now on."""
        self.fetch_offset = asked.fetch_offset
        self.max_bytes = asked.partition_max_bytes
        self.leader_epoch = asked.current_leader_epoch
        self.last_fetched_epoch = asked.last_fetched_epoch
        self.replica_start_offset = asked.log_start_offset

    def is_told(self, high_watermark: int, log_start_offset: int) -> bool:
        """Whether the client knows that already."""
        return self.high_watermark == high_watermark and self.log_start_offset == log_start_offset

    def note_told(self, data: PartitionData) -> bool:
        """Whether the answer must stand in an incremental response; remembers what it says."""
        must_tell = (
            bool(data.records)
            or not self.is_told(data.high_watermark, data.log_start_offset)
            or data.preferred_read_replica != UNKNOWN
        )
        self.high_watermark = data.high_watermark
        self.log_start_offset = data.log_start_offset
        if data.error_code or self._has_diverged(data):
            self.high_watermark = UNKNOWN  # sent again when the trouble is over
            return True
        return must_tell

    def _has_diverged(self, data: PartitionData) -> bool:
        """Only with a last fetched epoch; to look would make the field first."""
        return self.last_fetched_epoch >= 0 and data.diverging_epoch.end_offset != UNKNOWN
