"""One partition that a fetcher follows, in one leader epoch: how far it is, and what it waits for.

Another epoch is another `Followed`, so that an answer to what was asked before finds none.
"""

from __future__ import annotations

from typing import Final

from moldau.broker.replica.partition import NO_EPOCH, Partition
from moldau.broker.runtime.replication.pauses import Pauses

__all__ = ["Followed"]

PartitionKey = tuple[bytes, int]
"""Topic id and index."""
NOT_YET: Final = -1


class Followed:
    """What is known of it here beside its log."""

    __slots__ = (
        "asked_offset", "delayed_until_ms", "is_failed", "key", "leader_epoch",
        "leader_high_watermark", "partition", "pauses",
    )  # fmt: skip

    def __init__(self, partition: Partition) -> None:
        self.partition = partition
        self.key: PartitionKey = partition.topic_id, partition.index
        self.leader_epoch = partition.leader_epoch
        self.asked_offset = NOT_YET
        """What the last request had; the answer is for this offset."""
        self.leader_high_watermark = NOT_YET
        self.delayed_until_ms = 0
        self.is_failed = False
        """Nothing is fetched of it in this epoch any more."""
        self.pauses = Pauses()

    def __repr__(self) -> str:
        return f"Followed({self.partition.name} in epoch {self.leader_epoch})"

    @property
    def last_epoch(self) -> int:
        """The epoch that wrote the end of the log here."""
        latest = self.partition.log.epochs.latest_epoch
        return NO_EPOCH if latest is None else latest

    @property
    def is_valid(self) -> bool:
        """Whether the partition still follows in this epoch."""
        partition = self.partition
        return (
            not partition.is_leader
            and not partition.is_gone
            and partition.leader_epoch == self.leader_epoch
            and partition.directory.is_online
        )

    @property
    def lag(self) -> int:
        """Records that the leader's in-sync replicas have and this one has not."""
        return max(self.leader_high_watermark - self.partition.log_end_offset, 0)

    @property
    def has_caught_up(self) -> bool:
        """Whether it had all that is replicated when the leader last answered."""
        return self.leader_high_watermark >= 0 and not self.lag
