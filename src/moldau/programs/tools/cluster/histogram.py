"""Latencies by their size: each power of two in eight equal parts, so that no value is off by more
than an eighth, however many there are."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["Histogram"]

PARTS = 8
PARTS_BITS = 3
BAR = 40


class Histogram:
    """How often each whole number from 0 on was counted, in buckets."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}
        self.count = 0
        self.total = 0
        self.most = 0

    def __repr__(self) -> str:
        return f"<Histogram of {self.count} values up to {self.most}>"

    def add(self, value: int) -> None:
        slot = _slot(value)
        self._counts[slot] = self._counts.get(slot, 0) + 1
        self.count += 1
        self.total += value
        self.most = max(self.most, value)

    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0

    def percentile(self, share: float) -> int:
        """A value that at least this share of all do not exceed."""
        wanted = share * self.count
        seen = 0
        for slot, count in sorted(self._counts.items()):
            seen += count
            if seen >= wanted:
                return min(_last_of(slot), self.most)
        return self.most

    def bars(self) -> list[tuple[int, int, str]]:
        """For each power of two: up to where, how many, and a bar as long as its share."""
        powers: dict[int, int] = {}
        for slot, count in self._counts.items():
            edge = 1 << _last_of(slot).bit_length()
            powers[edge] = powers.get(edge, 0) + count
        highest = max(powers.values(), default=1)
        return [
            (edge, powers.get(edge, 0), "█" * (powers.get(edge, 0) * BAR // highest))
            for edge in _between(powers)
        ]


def _between(powers: Iterable[int]) -> list[int]:
    """All from the smallest to the largest."""
    found = sorted(powers)
    edges = found[:1]
    while edges and edges[-1] < found[-1]:
        edges.append(edges[-1] * 2)
    return edges


def _slot(value: int) -> int:
    shift = max(0, value.bit_length() - PARTS_BITS - 1)
    return (shift << (PARTS_BITS + 1)) + (value >> shift)


def _last_of(slot: int) -> int:
    """The largest value that is counted there."""
    shift, part = slot >> (PARTS_BITS + 1), slot & (2 * PARTS - 1)
    return ((part + 1) << shift) - 1
