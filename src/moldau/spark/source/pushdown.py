"""Which offsets a filter leaves, so that the rest is never fetched.

Spark applies every filter once more to the rows, so it is enough to leave out what no filter could
keep. A lower bound on time moves the start, for Kafka finds the first record at or after a time; an
upper bound moves nothing, for a record may be older than those before it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Protocol

from pyspark.sql.datasource import (
    EqualNullSafe,
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    LessThan,
    LessThanOrEqual,
)

from moldau.client import TopicPartition
from moldau.platform.quick_dataclass import dataclass


class Moment(Protocol):
    """How Spark hands over a time."""

    def timestamp(self) -> float:
        """Seconds since 1970."""
        ...


@dataclass(frozen=True)
class Kept:
    """What the filters leave: offsets in `first`..`last`, partitions and topics if named."""

    first: int = 0
    last: int | None = None
    from_ms: int | None = None
    first_partition: int = 0
    last_partition: int | None = None
    topics: frozenset[str] | None = None

    def has(self, part: TopicPartition) -> bool:
        """Whether any record of the partition may be kept."""
        if self.topics is not None and part.topic not in self.topics:
            return False
        last = self.last_partition
        return part.partition >= self.first_partition and (last is None or part.partition <= last)


def kept_by(filters: Iterable[Filter]) -> Kept:
    """What all of them together leave."""
    kept = Kept()
    for one in filters:
        narrow = _NARROWING.get(one.attribute) if hasattr(one, "attribute") else None
        bounds = _bounds(one)
        if narrow is not None and bounds is not None:
            kept = narrow(kept, *bounds)
    return kept


def _bounds(one: Filter) -> tuple[Any, Any] | None:
    """Lowest and highest value that a filter keeps; None where it bounds neither."""
    if isinstance(one, EqualTo | EqualNullSafe):
        return one.value, one.value
    if isinstance(one, In):
        return (min(one.value), max(one.value)) if one.value else None
    if isinstance(one, GreaterThan | GreaterThanOrEqual):
        return one.value, None
    if isinstance(one, LessThan | LessThanOrEqual):
        return None, one.value
    return None


def _by_offset(kept: Kept, low: int | None, high: int | None) -> Kept:
    return replace(kept, first=_later(kept.first, low), last=_earlier(kept.last, high))


def _by_partition(kept: Kept, low: int | None, high: int | None) -> Kept:
    return replace(
        kept,
        first_partition=_later(kept.first_partition, low),
        last_partition=_earlier(kept.last_partition, high),
    )


def _by_topic(kept: Kept, low: str | None, high: str | None) -> Kept:
    if low is None or low != high:
        return kept
    topics = frozenset({low})
    return replace(kept, topics=topics if kept.topics is None else kept.topics & topics)


def _by_time(kept: Kept, low: Moment | None, _high: Moment | None) -> Kept:
    if low is None:
        return kept
    low_ms = math.floor(low.timestamp() * 1000)
    return replace(kept, from_ms=max(low_ms, kept.from_ms or 0))


def _later(now: int, than: int | None) -> int:
    return now if than is None else max(now, than)


def _earlier(now: int | None, than: int | None) -> int | None:
    if now is None or than is None:
        return than if now is None else now
    return min(now, than)


_NARROWING: dict[tuple[str, ...], Callable[[Kept, Any, Any], Kept]] = {
    ("offset",): _by_offset,
    ("partition",): _by_partition,
    ("topic",): _by_topic,
    ("timestamp",): _by_time,
}
