"""One partition that is read from one offset to another: how far it is, and what it waits for."""

from __future__ import annotations

from moldau.client.core.fetching.session import Wanted
from moldau.client.topic_partition import TopicPartition
from moldau.errors import MoldauError
from moldau.protocol.records.batch import NO_LEADER_EPOCH

__all__ = ["ENDLESS", "Reading"]

ENDLESS = 1 << 62
"""The end of a reading that has none."""


class Reading:
    """Changed by its fetcher only."""

    __slots__ = (
        "cause",
        "end",
        "is_wanted",
        "known_end",
        "last_epoch",
        "max_bytes",
        "node_id",
        "not_before_ms",
        "nothing_count",
        "part",
        "position",
        "progress_ms",
        "replica",
        "replica_until_ms",
        "topic_id",
        "tries",
        "unknown_tries",
        "waits_for_range",
    )

    def __init__(self, part: TopicPartition, start: int, end: int, max_bytes: int) -> None:
        self.part = part
        self.position = start
        """The next offset to fetch."""
        self.end = end
        self.max_bytes = max_bytes
        self.last_epoch = NO_LEADER_EPOCH
        """The leader epoch of the record before the position: by it the leader finds out whether
        its log is still the one that was read (KIP-320)."""
        self.topic_id: bytes | None = None
        """As it was at the first fetch; offsets mean nothing in another topic of the same name."""
        self.known_end = -1
        """Where the log ended for this reader in the leader's last answer about it."""
        self.is_wanted = False
        self.node_id: int | None = None
        """The broker whose answer is awaited."""
        self.replica: int | None = None
        """The preferred read replica that the leader has named (KIP-392)."""
        self.replica_until_ms = 0.0
        self.waits_for_range = False
        self.tries = 0
        """Failures in a row."""
        self.unknown_tries = 0
        self.nothing_count = 0
        """Answers in a row that had nothing where something should be."""
        self.not_before_ms = 0.0
        self.progress_ms = 0
        """When it was wanted last, or had its last success since."""
        self.cause: MoldauError | None = None
        """The last failure, for the case that there is no time for another try."""

    def __repr__(self) -> str:
        return f"<Reading {self.part} at {self.position} of {self.end}>"

    @property
    def is_done(self) -> bool:
        return self.position >= self.end

    @property
    def is_at_end(self) -> bool:
        """Whether the log had nothing more in the leader's last answer about it."""
        return 0 <= self.known_end <= self.position

    @property
    def is_endless(self) -> bool:
        """Whether it goes on as the log grows."""
        return self.end >= ENDLESS

    @property
    def is_idle(self) -> bool:
        """Whether something has to be done for it."""
        return self.is_wanted and self.node_id is None and not self.waits_for_range

    def ask(self, leader_epoch: int) -> Wanted:
        return Wanted(self.part.topic, self.position, self.max_bytes, leader_epoch, self.last_epoch)
