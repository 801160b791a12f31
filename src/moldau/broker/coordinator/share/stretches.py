"""What became of the records of a share partition, as stretches of offsets.

A stretch says of all offsets from `first_offset` to `last_offset`, both included, in which state
they are and how often they were handed out. States that a leader reports may be older than what is
stored, because its writes may overtake each other: of two words on one offset that with the higher
delivery count is the later one, and at the same count the later state has the higher number.

    stored    [0 ........ 9] available, 1          told  [4 .. 6] acknowledged, 1
    combined  [0 .. 3] available  [4 .. 6] acknowledged  [7 .. 9] available
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

NO_START = -1
"""A start offset that was never set; nothing is cut off."""


class Stretch(NamedTuple):
    """Offsets that share a fate."""

    first_offset: int
    last_offset: int
    delivery_state: int
    delivery_count: int

    @property
    def rank(self) -> tuple[int, int]:
        """Of two words on one offset the one with the higher rank counts."""
        return self.delivery_count, self.delivery_state


def combine(stored: Iterable[Stretch], told: Iterable[Stretch], start_offset: int) -> list[Stretch]:
    """Both together without overlaps, in order of offsets, from the start offset on."""
    return list(_joined(_highest(sorted(_cut([*stored, *told], start_offset)))))


def _cut(stretches: Iterable[Stretch], start_offset: int) -> Iterator[Stretch]:
    for stretch in stretches:
        if start_offset == NO_START or stretch.first_offset >= start_offset:
            yield stretch
        elif stretch.last_offset >= start_offset:
            yield stretch._replace(first_offset=start_offset)


def _highest(stretches: list[Stretch]) -> Iterator[Stretch]:
    """Walk over the offsets where something begins or ends; tell who has the highest rank."""
    edges = sorted({edge for one in stretches for edge in (one.first_offset, one.last_offset + 1)})
    over: list[tuple[int, int, int, Stretch]] = []
    following = 0
    for begin, end in pairwise(edges):
        while following < len(stretches) and stretches[following].first_offset <= begin:
            one = stretches[following]
            heapq.heappush(over, (-one.delivery_count, -one.delivery_state, -one.last_offset, one))
            following += 1
        while over and over[0][3].last_offset < begin:
            heapq.heappop(over)
        if over:
            yield over[0][3]._replace(first_offset=begin, last_offset=end - 1)


def _joined(stretches: Iterable[Stretch]) -> Iterator[Stretch]:
    """Neighbours of the same fate as one."""
    last: Stretch | None = None
    for one in stretches:
        if last is not None and last.last_offset + 1 == one.first_offset and last.rank == one.rank:
            last = last._replace(last_offset=one.last_offset)
            continue
        if last is not None:
            yield last
        last = one
    if last is not None:
        yield last
