"""Ranges of versions, in Kafka's notation: `3-13`, `9+`, `-12`, `2` or `none`."""

from __future__ import annotations

from typing import NamedTuple

HIGHEST = 32767
"""Where an open end such as `9+` ends: versions are int16."""


class Versions(NamedTuple):
    """An unbroken range of versions, both ends included; empty when `low` is above `high`."""

    low: int
    high: int

    @classmethod
    def parse(cls, text: str) -> Versions:
        if text == "none":
            return NONE
        if text.endswith("+"):
            return cls(int(text[:-1]), HIGHEST)
        low, dash, high = text.partition("-")
        if not dash:
            return cls(int(low), int(low))
        return cls(int(low or "0"), int(high))

    def __contains__(self, version: object) -> bool:
        return isinstance(version, int) and self.low <= version <= self.high

    def within(self, other: Versions) -> Versions:
        """The versions that are in both."""
        both = Versions(max(self.low, other.low), min(self.high, other.high))
        return both if both.low <= both.high else NONE

    def each(self) -> range:
        return range(self.low, self.high + 1)

    def __str__(self) -> str:
        if self.low > self.high:
            return "none"
        if self.high == HIGHEST:
            return f"{self.low}+"
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


NONE = Versions(1, 0)
ALL = Versions(0, HIGHEST)
