"""Settings that a group may have of its own, within the broker's bounds (KIP-1142).

The bounds may change later: a value that has come to lie outside counts as the nearest bound.
"""

from __future__ import annotations

from typing import NamedTuple

GROUP_RESOURCE = 32
"""The type of configs of groups."""


class Bounded(NamedTuple):
    """The broker's setting and its bounds for groups."""

    default: int
    least: int
    most: int

    def of(self, given: str | None) -> int:
        return self.default if given is None else min(max(int(given), self.least), self.most)
