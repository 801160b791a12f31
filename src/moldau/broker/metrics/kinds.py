"""Kinds of metrics: what only grows, what is looked up, and how values are spread.

A `Meter` counts events; Kafka's meters also have rates, which every reader of ours can make from
two readings. A `Gauge` asks when it is read, so that keeping it costs nothing. A `Histogram` keeps
counts in buckets whose width grows with the value, an eighth of it each, so percentiles are true to
about twelve per cent.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Final

__all__ = ["Gauge", "Histogram", "Meter"]

STEPS_BITS: Final = 3
STEPS: Final = 1 << STEPS_BITS
"""Buckets between two powers of two."""
BUCKETS: Final = 64 * STEPS
"""Enough for every number of 64 bits."""


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

    __slots__ = ("_buckets", "count", "maximum", "scale", "total")

    def __init__(self, scale: float = 1) -> None:
        self.scale = scale
        """Of what is reported: 0.001 makes milliseconds of recorded microseconds."""
        self.count = 0
        self.total = 0
        self.maximum = 0
        self._buckets: list[int] = []
        """How many values each has; as many buckets as the largest value needs."""

    def __repr__(self) -> str:
        return f"Histogram({self.count} values, half of them below {self.percentile(0.5):g})"

    def record(self, value: int) -> None:
        """A value of 0 or more."""
        # hot: three times for every request.
        self.count += 1
        self.total += value
        if value > self.maximum:
            self.maximum = value
        bucket = value if value < 2 * STEPS else _bucket_of(value)
        buckets = self._buckets
        if bucket >= len(buckets):
            buckets.extend([0] * (bucket + 1 - len(buckets)))
        buckets[bucket] += 1

    def plus(self, other: Histogram) -> Histogram:
        """The values of both."""
        return self._with(other, 1)

    def less(self, other: Histogram) -> Histogram:
        """Without those of another, which were all recorded here too."""
        return self._with(other, -1)

    def at_zero(self) -> Histogram:
        """As many values, each of them 0."""
        found = Histogram(self.scale)
        found.count = self.count
        found._buckets = [self.count]
        return found

    def _with(self, other: Histogram, sign: int) -> Histogram:
        found = Histogram(self.scale)
        found.count = self.count + sign * other.count
        found.total = self.total + sign * other.total
        found.maximum = max(self.maximum, other.maximum)
        size = max(len(self._buckets), len(other._buckets))
        buckets = self._buckets + [0] * (size - len(self._buckets))
        for bucket, times in enumerate(other._buckets):
            buckets[bucket] += sign * times
        found._buckets = buckets
        return found

    def percentile(self, share: float) -> float:
        """A value, to scale, that this share of all is not above; 0 where there is none."""
        wanted = share * self.count
        seen = 0
        for bucket, times in enumerate(self._buckets):
            seen += times
            if times and seen >= wanted:
                return min(_upper_bound(bucket), self.maximum) * self.scale
        return 0

    @property
    def minimum(self) -> float:
        """Of its bucket the smallest value, to scale; so it is never too large."""
        for bucket, times in enumerate(self._buckets):
            if times:
                return _lower_bound(bucket) * self.scale
        return 0

    @property
    def deviation(self) -> float:
        """The standard deviation, to scale, with each value taken for the middle of its bucket."""
        if self.count < 2:
            return 0
        values = [
            (times, (_lower_bound(bucket) + min(_upper_bound(bucket), self.maximum)) / 2)
            for bucket, times in enumerate(self._buckets)
            if times
        ]
        mean = sum(times * value for times, value in values) / self.count
        squares = sum(times * (value - mean) ** 2 for times, value in values)
        return sqrt(squares / (self.count - 1)) * self.scale


def _bucket_of(value: int) -> int:
    shift = value.bit_length() - STEPS_BITS - 1
    return (shift << STEPS_BITS) + (value >> shift) if shift > 0 else value


def _lower_bound(bucket: int) -> int:
    """The smallest one."""
    return _upper_bound(bucket - 1) + 1 if bucket else 0


def _upper_bound(bucket: int) -> int:
    """The largest value that lies in a bucket."""
    if bucket < 2 * STEPS:
        return bucket
    shift, step = (bucket >> STEPS_BITS) - 1, bucket & (STEPS - 1)
    return ((step + STEPS + 1) << shift) - 1
