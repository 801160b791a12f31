"""Kinds of metrics: what only grows, what is looked up, and how values are spread.

A `Meter` counts events; Kafka's meters also have rates, which every reader of ours can make from
two readings. A `Gauge` asks when it is read, so that keeping it costs nothing. A `Histogram` keeps
counts in buckets whose width grows with the value, an eighth of it each, so percentiles are true to
about twelve per cent. Recording only notes the value: every so often, and on a read, what
was noted is put into its buckets, equal values together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

__all__ = ["Gauge", "Histogram", "Meter"]

STEPS_BITS: Final = 3
STEPS: Final = 1 << STEPS_BITS
"""Buckets between two powers of two."""
BUCKETS: Final = 64 * STEPS
"""Enough for every number of 64 bits."""
NOTED_MAX: Final = 256
"""Values that wait for their buckets; sorting them in takes some 20 us at a time."""


class Meter:
    """How often something has happened, or how much of it."""

    __slots__ = ("count",)

    def __init__(self, count: int = 0) -> None:
        self.count = count

    def __repr__(self) -> str:
        return f"Meter({self.count})"

    def mark(self, amount: int = 1) -> None:
        self.count += amount


class Gauge:
    """A number that is computed when it is read."""

    __slots__ = ("_ask",)

    def __init__(self, ask: Callable[[], float]) -> None:
        self._ask = ask

    def __repr__(self) -> str:
        return f"Gauge({self.value:g})"

    @property
    def value(self) -> float:
        return self._ask()


class Histogram:
    """How values are spread."""

    __slots__ = ("_buckets", "_count", "_maximum", "_noted", "_total", "scale")

    def __init__(self, scale: float = 1) -> None:
        self.scale = scale
        """Of what is reported: 0.001 makes milliseconds of recorded microseconds."""
        self._count = 0
        self._total = 0
        self._maximum = 0
        self._buckets: dict[int, int] = {}
        self._noted: list[int] = []

    def __repr__(self) -> str:
        return f"Histogram({self.count} values, half of them below {self.percentile(0.5):g})"

    @property
    def count(self) -> int:
        return self._count + len(self._noted)

    @property
    def total(self) -> int:
        self._settle()
        return self._total

    @property
    def maximum(self) -> int:
        self._settle()
        return self._maximum

    def record(self, value: int) -> None:
        """A value of 0 or more."""
        # hot: 0.1 us, three times for every request; its bucket at once would take 0.3.
        noted = self._noted
        noted.append(value)
        if len(noted) >= NOTED_MAX:
            self._settle()

    def _settle(self) -> None:
        """Put what was noted into its buckets."""
        noted, buckets = self._noted, self._buckets
        if not noted:
            return
        self._count += len(noted)
        self._total += sum(noted)
        self._maximum = max(self._maximum, max(noted))
        for value, times in Counter(noted).items():
            bucket = _bucket_of(value)
            buckets[bucket] = buckets.get(bucket, 0) + times
        noted.clear()

    def percentile(self, share: float) -> float:
        """A value, to scale, that this share of all is not above; 0 where there is none."""
        self._settle()
        wanted = share * self._count
        seen = 0
        for bucket in sorted(self._buckets):
            seen += self._buckets[bucket]
            if seen >= wanted:
                return min(_upper_bound(bucket), self._maximum) * self.scale
        return 0


def _bucket_of(value: int) -> int:
    shift = value.bit_length() - STEPS_BITS - 1
    return (shift << STEPS_BITS) + (value >> shift) if shift > 0 else value


def _upper_bound(bucket: int) -> int:
    """The largest value that lies in a bucket."""
    if bucket < 2 * STEPS:
        return bucket
    shift, step = (bucket >> STEPS_BITS) - 1, bucket & (STEPS - 1)
    return ((step + STEPS + 1) << shift) - 1
