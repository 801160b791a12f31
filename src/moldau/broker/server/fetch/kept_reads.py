"""What was read for one fetch, kept for others that read the same.

Many consumers that read the same partitions wait for the same records. A read holds for them as
long as the partition's log stands where it stood then.
"""

from __future__ import annotations

from typing import Final

from moldau.broker.log.log_state import LogState
from moldau.broker.log.reading import FetchResult
from moldau.broker.replica.partition import Partition

__all__ = ["KEPT_MAX", "KEPT_MS", "KeptRead", "KeptReads", "Key"]

KEPT_MAX: Final = 64
"""Of a few partitions at a time, and up to a megabyte."""
KEPT_MS: Final = 1_000
"""No longer, for compaction may have taken records out meanwhile."""

Key = tuple[Partition, int, int, bool, bool]
"""Offset, most bytes, whether only what is committed is read, and one batch is whole at least."""


class KeptRead:
    """What was found, and when that is true."""

    __slots__ = ("_high_watermark", "_leader_epoch", "_start", "encoded", "found", "records")

    def __init__(self, partition: Partition, found: FetchResult, records: bytes) -> None:
        state = partition.log.state
        self._leader_epoch = partition.leader_epoch
        self._high_watermark = state.high_watermark
        self._start = state.log_start_offset
        self.found = found
        self.records = records
        self.encoded = b""
        """The response of the partition, once it was written flat."""

    def holds(self, partition: Partition, state: LogState) -> bool:
        """Whether reading again would find the same."""
        return (
            partition.is_leader
            and partition.leader_epoch == self._leader_epoch
            and state.failure is None
            and state.high_watermark == self._high_watermark
            and state.last_stable_offset == self.found.last_stable_offset
            and state.log_start_offset == self._start
        )


class KeptReads:
    """A broker's small reads of log ends, kept for consumers that read the same."""

    def __init__(self) -> None:
        self._kept: dict[Key, KeptRead] = {}
        self._since_ms = 0
        """When the oldest of them came."""

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, key: Key, now_ms: int) -> KeptRead | None:
        """What was read for another fetch, if it is still true."""
        if not 0 <= now_ms - self._since_ms < KEPT_MS:
            self._kept, self._since_ms = {}, now_ms
        kept = self._kept.get(key)
        if kept is None:
            return None
        partition = key[0]
        return kept if kept.holds(partition, partition.log.state) else None

    def keep(self, key: Key, found: FetchResult, records: bytes) -> KeptRead | None:
        """For others, where the partition is led here: a follower's log may be cut off."""
        partition = key[0]
        if not partition.is_leader:
            return None
        if len(self._kept) >= KEPT_MAX:
            self._kept.clear()
        kept = self._kept[key] = KeptRead(partition, found, records)
        return kept
