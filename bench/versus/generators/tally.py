"""The result of a generator when it ends: how often, how fast, and what it took itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NANOSECONDS_PER_SECOND = 1_000_000_000
NANOSECONDS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Tally:
    """One interval of time of one generator."""

    count: int
    seconds: float
    p50_ms: float
    p99_ms: float
    generator_cpu_s: float

    @property
    def per_second(self) -> float:
        return self.count / self.seconds


def tally(times_ns: list[int], seconds: float, generator_cpu_s: float) -> Tally:
    """`times_ns` is put in order."""
    times_ns.sort()
    return Tally(
        count=len(times_ns),
        seconds=seconds,
        p50_ms=percentile(times_ns, 0.5) / NANOSECONDS_PER_MS,
        p99_ms=percentile(times_ns, 0.99) / NANOSECONDS_PER_MS,
        generator_cpu_s=generator_cpu_s,
    )


def percentile(ordered: Sequence[int], share: float) -> int:
    """The value below which this share of all lies; 0 of nothing."""
    if not ordered:
        return 0
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
