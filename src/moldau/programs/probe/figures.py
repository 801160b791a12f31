"""What a probe has measured, and its text for Prometheus, by the names of KMinion.

kminion_end_to_end_roundtrip_latency_seconds_bucket{partition_id="0",le="0.005"} 17
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

__all__ = ["MEDIA_TYPE", "Figures", "Latencies"]

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
PREFIX: Final = "kminion_end_to_end"
BOUNDS_S: Final = (
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
)  # fmt: skip


class Latencies:
    """The latencies of one partition, as a histogram."""

    def __init__(self) -> None:
        self.count = 0
        self.total_s = 0.0
        self.last_s = 0.0
        self._buckets = [0] * (len(BOUNDS_S) + 1)

    def record(self, seconds: float) -> None:
        self.count += 1
        self.total_s += seconds
        self.last_s = seconds
        self._buckets[bisect_left(BOUNDS_S, seconds)] += 1

    def lines(self, name: str, partition: int) -> Iterator[str]:
        label, below = f'partition_id="{partition}"', 0
        for bound, times in zip((*map(str, BOUNDS_S), "+Inf"), self._buckets, strict=True):
            below += times
            yield f'{name}_bucket{{{label},le="{bound}"}} {below}'
        yield f"{name}_sum{{{label}}} {self.total_s:.9g}"
        yield f"{name}_count{{{label}}} {self.count}"


class Figures:
    """The figures of all partitions."""

    def __init__(self) -> None:
        self.produced = 0
        self.failed = 0
        self.received = 0
        self.lost = 0
        """Acknowledged, and not read again in time."""
        self.produce: dict[int, Latencies] = {}
        """Until the record was acknowledged, by partition."""
        self.roundtrip: dict[int, Latencies] = {}
        """Until it was read."""
        self.commit: dict[int, Latencies] = {}
        """Until its offset was committed."""

    def text(self) -> bytes:
        lines: list[str] = []
        for name, doc, value in (
            (
                "messages_produced_total",
                "Records of the probe that were acknowledged",
                self.produced,
            ),
            ("messages_produced_failed_total", "Those that were not", self.failed),
            ("messages_received_total", "Records of the probe that were read", self.received),
            ("messages_lost_total", "Acknowledged, and not read in time", self.lost),
        ):
            family = f"{PREFIX}_{name}"
            lines += [f"# HELP {family} {doc}", f"# TYPE {family} counter", f"{family} {value}"]
        for kind, doc, found in (
            ("produce", "Until a record was acknowledged", self.produce),
            ("roundtrip", "Until it was read", self.roundtrip),
            ("offset_commit", "Of a commit of the probe's group", self.commit),
        ):
            family = f"{PREFIX}_{kind}_latency_seconds"
            lines += [f"# HELP {family} {doc}", f"# TYPE {family} histogram"]
            for partition, latencies in sorted(found.items()):
                lines += latencies.lines(family, partition)
        return ("\n".join(lines) + "\n").encode()
