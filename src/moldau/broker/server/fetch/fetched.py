"""The fetcher, and one partition of it: the request, in a session what was sent, the response."""

from __future__ import annotations

from typing import Final, TypeAlias

from moldau.broker.log.reading import Isolation
from moldau.broker.log.segment.file_slice import FileSlice
from moldau.broker.log.segment.transaction_index import AbortedTransaction
from moldau.broker.replica.fetching import Divergence
from moldau.broker.replica.partition import Partition
from moldau.broker.server.fetch.kept_reads import KeptRead
from moldau.broker.server.fetch.reader import REPLICA_ID_UNTIL, AskedFetch, ReadPartition
from moldau.broker.server.leaders import LeaderHint
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.wire.unseen import is_seen

__all__ = [
    "FOLLOWERS_SERVE_FROM",
    "UNKNOWN",
    "FetchPartition",
    "Fetched",
    "PartitionResponse",
    "Reader",
    "TopicKey",
    "reader_of",
]

FetchPartition: TypeAlias = FetchRequest.FetchTopic.FetchPartition | ReadPartition

UNKNOWN: Final = -1
READ_COMMITTED: Final = 1
FOLLOWERS_SERVE_FROM: Final = 11
"""Versions whose consumers may be served by a follower (KIP-392)."""

TopicKey = str | bytes
"""A topic's name, or its id where the client speaks in ids."""


class Reader:
    """The reader, and how far it may see."""

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


def reader_of(request: AskedFetch, version: int) -> Reader:
    replica_id = request.replica_id
    if (
        isinstance(request, FetchRequest)
        and version > REPLICA_ID_UNTIL
        and is_seen(request, "replica_state")
    ):
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
        """What reports changes to its session."""
        self.ask(asked)

    def ask(self, asked: FetchPartition) -> None:
        """What the client reads from now on."""
        self.fetch_offset = asked.fetch_offset
        self.max_bytes = asked.partition_max_bytes
        self.leader_epoch = asked.current_leader_epoch
        self.last_fetched_epoch = asked.last_fetched_epoch
        self.replica_start_offset = asked.log_start_offset

    def is_reported(self, high_watermark: int, log_start_offset: int) -> bool:
        """Whether the client knows that already."""
        return self.high_watermark == high_watermark and self.log_start_offset == log_start_offset

    def note_reported(self, response: PartitionResponse) -> bool:
        """Whether it must stand in an incremental response; notes what it sends."""
        must_tell = (
            response.size > 0
            or not self.is_reported(response.high_watermark, response.log_start_offset)
            or response.preferred_replica != UNKNOWN
        )
        self.high_watermark = response.high_watermark
        self.log_start_offset = response.log_start_offset
        if response.error_code or response.divergence is not None:
            self.high_watermark = UNKNOWN  # sent again when the trouble is over
            return True
        return must_tell


class PartitionResponse:
    """What is sent of one partition."""

    __slots__ = (
        "aborted_transactions", "divergence", "error_code", "fetched", "high_watermark", "kept",
        "last_stable_offset", "leader", "log_start_offset", "preferred_replica", "records", "size",
    )  # fmt: skip

    def __init__(
        self,
        fetched: Fetched,
        high_watermark: int = UNKNOWN,
        last_stable_offset: int = UNKNOWN,
        log_start_offset: int = UNKNOWN,
        aborted_transactions: list[AbortedTransaction] | None = None,
        records: bytes | FileSlice = b"",
        error_code: int = 0,
    ) -> None:
        self.fetched = fetched
        self.error_code = error_code
        self.high_watermark = high_watermark
        self.last_stable_offset = last_stable_offset
        self.log_start_offset = log_start_offset
        self.aborted_transactions = aborted_transactions
        self.records = records
        """A slice for `sendfile`, or the bytes themselves where they are few."""
        self.size = len(records)
        self.kept: KeptRead | None = None
        """Where others have the same, encoded."""
        self.preferred_replica = UNKNOWN
        self.divergence: Divergence | None = None
        self.leader: LeaderHint | None = None

    def __repr__(self) -> str:
        return f"PartitionResponse({self.fetched.topic!r}-{self.fetched.index}, {self.size} bytes)"

    def take(self, records: bytes) -> None:
        """What was read beside the loop, and is not what lies on the disk."""
        self.records = records
        self.size = len(records)

    def refuse(self, error_code: int) -> None:
        """It could not be read after all."""
        self.take(b"")
        self.error_code = error_code
        self.high_watermark = self.last_stable_offset = self.log_start_offset = UNKNOWN
        self.aborted_transactions = None

    @property
    def is_plain(self) -> bool:
        """Whether it has nothing but records, or their absence."""
        return (
            not self.error_code
            and not self.aborted_transactions
            and self.divergence is None
            and self.leader is None
            and self.preferred_replica == UNKNOWN
        )
