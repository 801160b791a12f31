"""How partitions stand, gathered in one pass over them: columns of numbers, and sums over all.

A page shows eighteen numbers for each of a thousand partitions. To look each of them up by a
function of its own took longer than to write them down; here a partition is visited once. Compiled,
because it is the one loop over all partitions that a reading of the metrics needs.
"""

from __future__ import annotations

from collections.abc import Collection

from moldau.broker.replica.partition import Partition

__all__ = ["Standing", "Totals"]


class Standing:
    """Of those that are shown one by one; each list has a number for each, in their order."""

    __slots__ = (
        "at_min_isr", "end_offset", "high_watermark", "in_sync", "is_preferred", "is_under",
        "isr", "lag_to_stable", "leader", "led_replicas", "replicas", "retention_percent",
        "segments", "size", "start_offset", "under_min_isr",
    )  # fmt: skip

    def __init__(self) -> None:
        self.is_under: list[int] = []
        """Led here, and some replica is not in sync."""
        self.under_min_isr: list[int] = []
        self.at_min_isr: list[int] = []
        self.in_sync: list[int] = []
        """Replicas, 0 where it is led elsewhere; so is the next."""
        self.led_replicas: list[int] = []
        self.lag_to_stable: list[int] = []
        self.size: list[int] = []
        self.start_offset: list[int] = []
        self.end_offset: list[int] = []
        self.high_watermark: list[int] = []
        self.segments: list[int] = []
        self.retention_percent: list[int] = []
        """Of `retention.bytes`; 0 where there is no such limit."""
        self.leader: list[int] = []
        self.replicas: list[int] = []
        self.isr: list[int] = []
        self.is_preferred: list[int] = []
        """Its first replica leads it."""

    def __repr__(self) -> str:
        return f"Standing({len(self.size)} partitions)"

    def add(self, partitions: list[Partition]) -> None:
        """Some more of them."""
        # hot: 1,000 partitions in a page of metrics.
        for one in partitions:
            self._add_replicas(one)
            log = one.log
            state = log.state
            size, limit = log.size, log.settings.retention_bytes
            self.lag_to_stable.append(state.high_watermark - state.last_stable_offset)
            self.size.append(size)
            self.start_offset.append(state.log_start_offset)
            self.end_offset.append(state.log_end_offset)
            self.high_watermark.append(state.high_watermark)
            self.segments.append(len(state.segments))
            self.retention_percent.append(100 * size // limit if limit > 0 else 0)

    def _add_replicas(self, one: Partition) -> None:
        replicas, in_sync = len(one.replicas), len(one.isr)
        is_leader = one.is_leader
        self.is_under.append(int(is_leader and in_sync < replicas))
        self.under_min_isr.append(int(is_leader and in_sync < one.min_isr))
        self.at_min_isr.append(int(is_leader and in_sync == one.min_isr))
        self.in_sync.append(in_sync if is_leader else 0)
        self.led_replicas.append(replicas if is_leader else 0)
        self.leader.append(one.leader)
        self.replicas.append(replicas)
        self.isr.append(in_sync)
        self.is_preferred.append(int(replicas > 0 and one.leader == one.replicas[0]))


class Totals:
    """Over all that are here."""

    __slots__ = (
        "_assigned", "_late_ms", "at_min_isr", "damaged_places", "failed", "late", "led",
        "producers", "size", "under_min_isr",
    )  # fmt: skip

    def __init__(self, late_ms: int, assigned: Collection[tuple[str, int]]) -> None:
        self._late_ms = late_ms
        self._assigned = assigned
        """Those that belong here by the metadata."""
        self.led: list[Partition] = []
        self.under_min_isr = 0
        """Led here, with fewer in sync than that; the next is of those with as many."""
        self.at_min_isr = 0
        self.producers = 0
        self.late = 0
        """With a transaction that was begun before."""
        self.damaged_places = 0
        self.size = 0
        self.failed = 0
        """They belong here, and their log refuses everything."""

    def __repr__(self) -> str:
        return f"Totals({len(self.led)} led, {self.size} bytes)"

    def add(self, partitions: list[Partition]) -> None:
        """Some more of them."""
        # hot: every partition of a node, at each reading of the metrics.
        for one in partitions:
            if one.is_leader:
                self.led.append(one)
                self.under_min_isr += len(one.isr) < one.min_isr
                self.at_min_isr += len(one.isr) == one.min_isr
            producers = one.log.producers
            self.producers += len(producers)
            oldest_ms = producers.oldest_transaction_timestamp
            self.late += oldest_ms is not None and oldest_ms < self._late_ms
            self.damaged_places += len(one.damage)
            self.size += one.log.size
            self.failed += one.log.failure is not None and one.name in self._assigned
