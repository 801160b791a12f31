"""Which members have least, and which have most, while partitions move from these to those.

The members are sorted once by how many partitions they have, and not again while a topic is being
balanced. From the left grows the range of those who have least: as soon as each of them has got
one, the level rises by one and takes in who stands at it. From the right grows the range of those
who have most, in the same way downwards; a member with nothing to give drops out.
"""

from __future__ import annotations

from collections.abc import Sequence


class Balancer:
    """Two ranges over the members, given by their indexes."""

    def __init__(self, sizes: list[int], members: Sequence[int]) -> None:
        self._sizes = sizes
        """How many partitions each member has; changed by the caller that moves them."""
        self._sorted = sorted(members, key=lambda member: (sizes[member], member))
        least, most = sizes[self._sorted[0]], sizes[self._sorted[-1]]
        self.imbalance = most - least
        self._least_end = 0
        self._least_level = least - 1
        self._next_least = 0
        self._most_start = self._most_end = len(self._sorted)
        self._most_level = most + 1
        self._next_most = len(self._sorted) - 1

    @property
    def is_balanced(self) -> bool:
        """Whether moving a partition from the one range to the other would change nothing."""
        return self._most_level - self._least_level <= 1

    def next_least(self) -> int:
        """The member to get the next partition."""
        if self._next_least >= self._least_end:
            self._least_level += 1
            while self._least_end < len(self._sorted) and self._is_at(
                self._least_end, self._least_level
            ):
                self._least_end += 1
            self._next_least = 0
        self._next_least += 1
        return self._sorted[self._next_least - 1]

    def next_most(self) -> int | None:
        """The member to give the next partition; None if none can."""
        if self._next_most < self._most_start:
            if self._most_end <= self._most_start and self._most_start > 0:
                self._most_level = self._sizes[self._sorted[self._most_start - 1]]
            else:
                self._most_level -= 1
            while self._most_start > 0 and self._is_at(self._most_start - 1, self._most_level):
                self._most_start -= 1
            self._next_most = self._most_end - 1
        if self._next_most < 0:
            return None
        self._next_most -= 1
        return self._sorted[self._next_most + 1]

    def exclude_most(self) -> None:
        """The member that `next_most` has just named has nothing to give."""
        place, last = self._next_most + 1, self._most_end - 1
        self._sorted[place], self._sorted[last] = self._sorted[last], self._sorted[place]
        self._most_end -= 1

    def _is_at(self, place: int, level: int) -> bool:
        return self._sizes[self._sorted[place]] == level
