"""What a failover has cost: the gap of each partition, and what became of every value.

The values of a partition are numbered as they are sent. A gap is the longest time between two
acknowledgements that follow each other, from the last one before the kill on. A value is lost if it
was acknowledged and is not found, doubled if it is found twice, and reordered if it is found behind
one that was sent after it. One whose delivery failed may be found or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from itertools import pairwise
from typing import Any

from moldau.platform.quick_dataclass import dataclass

__all__ = ["PartitionOutcome", "Report"]

NS_PER_MS = 1_000_000


@dataclass(slots=True)
class PartitionOutcome:
    """What was sent to one partition, and what came of it."""

    leader: int
    """Before the kill."""
    sent: int = 0
    acknowledged: dict[int, int] = field(default_factory=dict)
    """When, by the value's number; monotonic nanoseconds."""
    failed: int = 0
    found: list[int] = field(default_factory=list)
    """In the order of their offsets."""

    def gap_ms(self, killed_ns: int) -> float:
        """The longest wait for an acknowledgement, from the last one before the kill on."""
        times = sorted(self.acknowledged.values())
        before = [time for time in times if time < killed_ns]
        waits = [
            later - sooner for sooner, later in pairwise([*before[-1:], *times[len(before) :]])
        ]
        return max(waits, default=0) / NS_PER_MS

    @property
    def lost(self) -> int:
        return len(self.acknowledged.keys() - set(self.found))

    @property
    def doubled(self) -> int:
        return len(self.found) - len(set(self.found))

    @property
    def reordered(self) -> int:
        return sum(later < sooner for sooner, later in pairwise(self.found))


@dataclass(slots=True)
class Report:
    """All of it."""

    victim: int
    killed_ns: int
    partitions: Mapping[int, PartitionOutcome]

    @property
    def lost(self) -> int:
        return sum(outcome.lost for outcome in self.partitions.values())

    @property
    def doubled(self) -> int:
        return sum(outcome.doubled for outcome in self.partitions.values())

    @property
    def reordered(self) -> int:
        return sum(outcome.reordered for outcome in self.partitions.values())

    @property
    def gap_ms(self) -> float:
        """The longest of all partitions that the killed node led."""
        return max(
            (
                outcome.gap_ms(self.killed_ns)
                for outcome in self.partitions.values()
                if outcome.leader == self.victim
            ),
            default=0,
        )

    def as_json(self) -> dict[str, Any]:
        """As programs read it."""
        outcomes = self.partitions.values()
        return {
            "killed": self.victim,
            "gap_ms": round(self.gap_ms, 1),
            "sent": sum(outcome.sent for outcome in outcomes),
            "acknowledged": sum(len(outcome.acknowledged) for outcome in outcomes),
            "failed": sum(outcome.failed for outcome in outcomes),
            "found": sum(len(outcome.found) for outcome in outcomes),
            "lost": self.lost,
            "doubled": self.doubled,
            "reordered": self.reordered,
            "partitions": {
                str(index): {
                    "leader": outcome.leader,
                    "gap_ms": round(outcome.gap_ms(self.killed_ns), 1),
                    "acknowledged": len(outcome.acknowledged),
                }
                for index, outcome in self.partitions.items()
            },
        }

    def lines(self) -> list[str]:
        """As people read it."""
        totals = self.as_json()
        gaps = [
            f"  partition {index}, led by node {outcome.leader} before: "
            f"{outcome.gap_ms(self.killed_ns):,.0f} ms without an acknowledgement"
            for index, outcome in self.partitions.items()
        ]
        return [
            f"node {self.victim} was killed; its partitions were acknowledged again within "
            f"{self.gap_ms:,.0f} ms",
            *gaps,
            f"{totals['sent']:,} values sent, {totals['acknowledged']:,} acknowledged, "
            f"{totals['failed']:,} failed, {totals['found']:,} found: {self.lost} lost, "
            f"{self.doubled} doubled, {self.reordered} reordered",
        ]
