"""What became of the records of a share partition, as state batches: ranges of offsets.

A state batch has, for all offsets from `first_offset` to `last_offset`, both included, their state
and how often they were delivered. States that a leader writes may be older than what is stored,
because its writes may overtake each other. Where two batches differ about one offset, that with the
higher delivery count is the later one; at the same count the later state has the higher number.

    stored    [0 ........ 9] available, 1       written  [4 .. 6] acknowledged, 1
    combined  [0 .. 3] available  [4 .. 6] acknowledged  [7 .. 9] available
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

NO_START = -1
"""A start offset that was never set; nothing is cut off."""


class StateBatch(NamedTuple):
    """Offsets in the same state."""

    first_offset: int
    last_offset: int
    delivery_state: int
    delivery_count: int

    @property
    def rank(self) -> tuple[int, int]:
        """Of two batches with one offset the one with the higher rank counts."""
        return self.delivery_count, self.delivery_state


def combine(
    stored: Iterable[StateBatch], written: Iterable[StateBatch], start_offset: int
) -> list[StateBatch]:
    """Both together without overlaps, in order of offsets, from the start offset on."""
    return list(_joined(_highest(sorted(_cut([*stored, *written], start_offset)))))


def _cut(state_batches: Iterable[StateBatch], start_offset: int) -> Iterator[StateBatch]:
    for state_batch in state_batches:
        if start_offset == NO_START or state_batch.first_offset >= start_offset:
            yield state_batch
        elif state_batch.last_offset >= start_offset:
            yield state_batch._replace(first_offset=start_offset)


def _highest(state_batches: list[StateBatch]) -> Iterator[StateBatch]:
    """Walk over the offsets where something begins or ends; yield what has the highest rank."""
    edges = sorted(
        {edge for one in state_batches for edge in (one.first_offset, one.last_offset + 1)}
    )
    over: list[tuple[int, int, int, StateBatch]] = []
    following = 0
    for begin, end in pairwise(edges):
        while following < len(state_batches) and state_batches[following].first_offset <= begin:
            one = state_batches[following]
            heapq.heappush(over, (-one.delivery_count, -one.delivery_state, -one.last_offset, one))
            following += 1
        while over and over[0][3].last_offset < begin:
            heapq.heappop(over)
        if over:
            yield over[0][3]._replace(first_offset=begin, last_offset=end - 1)


def _joined(state_batches: Iterable[StateBatch]) -> Iterator[StateBatch]:
    """Neighbours in the same state as one."""
    last: StateBatch | None = None
    for one in state_batches:
        if last is not None and last.last_offset + 1 == one.first_offset and last.rank == one.rank:
            last = last._replace(last_offset=one.last_offset)
            continue
        if last is not None:
            yield last
        last = one
    if last is not None:
        yield last
