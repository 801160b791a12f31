"""What is measured of the fetches of share groups, where Kafka measures it.

    acquire time     from the beginning of a fetch until some of its partitions had records to hand
                     out, or room for them
    fetch ratio      how many of its partitions that were, in per cent
    lock time        how long a fetch had a partition for itself: Kafka locks it, here nothing else
                     runs meanwhile
    lock ratio       what part that was of the time since the fetch before, in per cent
    batch            how many records were handed out as one range

A look at the clock for each partition of a fetch, and nothing for each record.
"""

from __future__ import annotations

from collections.abc import Iterable

from moldau.broker.coordinator.share.partition.acquiring import Acquired
from moldau.broker.metrics.kinds import Histogram

__all__ = ["GroupFigures", "PartitionFigures"]

NS_PER_US = 1000
US_TO_MS = 0.001
PERCENT = 100


class GroupFigures:
    """Of all fetches of one group here."""

    __slots__ = ("acquire_times", "fetch_ratio")

    def __init__(self) -> None:
        self.acquire_times = Histogram(US_TO_MS)
        self.fetch_ratio = Histogram()

    def __repr__(self) -> str:
        return f"GroupFigures({self.fetch_ratio.count} fetches)"

    def acquired(self, began_ns: int, now_ns: int) -> None:
        self.acquire_times.record((now_ns - began_ns) // NS_PER_US)

    def fetched(self, acquirable: int, asked: int) -> None:
        """A fetch has ended; one that asks for nothing has no ratio."""
        if asked:
            self.fetch_ratio.record(PERCENT * acquirable // asked)


class PartitionFigures:
    """Of one share partition."""

    __slots__ = ("_released_ns", "batch_sizes", "lock_ratio", "lock_times")

    def __init__(self, now_ns: int) -> None:
        self.lock_times = Histogram(US_TO_MS)
        self.lock_ratio = Histogram()
        self.batch_sizes = Histogram()
        self._released_ns = now_ns

    def __repr__(self) -> str:
        return f"PartitionFigures({self.lock_times.count} fetches)"

    def locked(self, began_ns: int, now_ns: int) -> None:
        """A fetch had it from then until now."""
        took_ns, since_ns = now_ns - began_ns, now_ns - self._released_ns
        self.lock_times.record(took_ns // NS_PER_US)
        self.lock_ratio.record(PERCENT * took_ns // since_ns if since_ns > 0 else PERCENT)
        self._released_ns = now_ns

    def handed_out(self, ranges: Iterable[Acquired]) -> None:
        for one in ranges:
            self.batch_sizes.record(one.last_offset - one.first_offset + 1)
