"""How many offsets a trigger takes, and how they are cut into tasks. Pure.

A limit on a trigger is shared between partitions by what waits in each, at least one offset where
anything waits: a small partition does not wait beside a large one. Tasks are cut the same way,
so that `minPartitions` gives tasks of about one size.

A task costs Spark about what a thousand records cost, so partitions in which little waits share
one: a stream that is read batch after batch has many of these.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from moldau.client import TopicPartition

Offsets = Mapping[TopicPartition, int]
ENOUGH = 1_000
"""Offsets that are worth a task of their own."""


class Range(NamedTuple):
    """Offsets from `start` up to, not including, `end`."""

    part: TopicPartition
    start: int
    end: int

    @property
    def size(self) -> int:
        """How many offsets; records may be fewer, where some are gone or are no data."""
        return self.end - self.start


def waiting(start: Offsets, end: Offsets) -> int:
    """How many offsets lie between."""
    return sum(max(0, at - start.get(part, at)) for part, at in end.items())


def limited(start: Offsets, end: Offsets, most: int) -> dict[TopicPartition, int]:
    """An end with about `most` offsets after `start`."""
    in_all = waiting(start, end)
    if in_all <= most:
        return dict(end)
    return {part: _share(start.get(part, at), at, most / in_all) for part, at in end.items()}


def _share(start: int, end: int, part: float) -> int:
    share = (end - start) * part
    return min(end, start + (math.ceil(share) if share < 1 else math.floor(share)))


def cut(
    ranges: Iterable[Range], *, at_least: int | None = None, at_most_each: int | None = None
) -> list[Range]:
    """Ranges for as many tasks as asked for, none of them larger than allowed."""
    whole = [one for one in ranges if one.size > 0]
    if at_most_each is not None:
        whole = [piece for one in whole for piece in _pieces(one, -(-one.size // at_most_each))]
    if at_least is None or len(whole) >= at_least:
        return whole
    return [piece for one in whole for piece in _pieces(one, _tasks(one, whole, at_least))]


def tasks_of(
    ranges: Iterable[Range], *, at_least: int | None = None, at_most_each: int | None = None
) -> list[list[Range]]:
    """What each task reads: as `cut`, and small ranges together where no sizes are asked for."""
    pieces = cut(ranges, at_least=at_least, at_most_each=at_most_each)
    if at_least is not None or at_most_each is not None:
        return [[piece] for piece in pieces]
    large = [[piece] for piece in pieces if piece.size >= ENOUGH]
    return large + _together([piece for piece in pieces if piece.size < ENOUGH])


def _together(small: list[Range]) -> list[list[Range]]:
    """Tasks of about one size: each range is in the one that its middle falls into."""
    in_all = sum(piece.size for piece in small)
    count = -(-in_all // ENOUGH)
    tasks: list[list[Range]] = [[] for _ in range(count)]
    before = 0
    for piece in small:
        tasks[(2 * before + piece.size) * count // (2 * in_all)].append(piece)
        before += piece.size
    return [task for task in tasks if task]


def _tasks(one: Range, whole: list[Range], at_least: int) -> int:
    in_all = sum(each.size for each in whole)
    return max(1, round(one.size / in_all * at_least))


def _pieces(one: Range, count: int) -> Iterable[Range]:
    count = min(count, one.size)
    edges = [one.start + one.size * index // count for index in range(count + 1)]
    return [Range(one.part, start, end) for start, end in pairwise(edges)]
