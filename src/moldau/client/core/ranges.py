"""A dialogue that finds from where to where a topic is to be read.

A reading begins and ends at a bound: at an offset of each partition, or where a timestamp leads.
The end is looked up once, before anything is read, so a table is what the topic was at a moment,
however long reading takes and whatever is appended meanwhile.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Dialogue, Received, Step
from moldau.client.core.metadata import find_topics
from moldau.client.core.offset_lookups import (
    EARLIEST,
    LATEST,
    NOT_FOUND,
    Isolation,
    look_up_offsets,
)
from moldau.client.errors import InvalidArgumentError, UnknownTopicError
from moldau.client.topic_partition import TopicPartition

__all__ = ["AtOffset", "AtOffsets", "AtTime", "Bound", "OffsetRange", "TopicRange", "find_ranges"]

Offsets: TypeAlias = dict[TopicPartition, int]


class AtTime(NamedTuple):
    """The first record that is not older; or one of the places `EARLIEST` and `LATEST`."""

    timestamp: int


class AtOffset(NamedTuple):
    """The same offset in every partition."""

    offset: int


class AtOffsets(NamedTuple):
    """One for each partition."""

    by_partition: Mapping[int, int]


Bound: TypeAlias = AtTime | AtOffset | AtOffsets


class TopicRange(NamedTuple):
    """What of a topic is wanted."""

    topic: str
    partitions: tuple[int, ...] | None = None
    """None: all."""
    start: Bound = AtTime(EARLIEST)
    end: Bound = AtTime(LATEST)


class OffsetRange(NamedTuple):
    """From `start` up to, but without, `end`."""

    start: int
    end: int


def find_ranges(
    context: ClientContext, wanted: TopicRange, isolation: Isolation, now_ms: int
) -> Dialogue[dict[TopicPartition, OffsetRange]]:
    """By partition, in their order; the whole has the time of one call."""
    (topic,) = yield from find_topics(context, [wanted.topic], now_ms)
    parts = _chosen(wanted, topic.leaders)
    starts = yield from _offsets(context, parts, wanted.start, isolation, now_ms)
    ends = yield from _offsets(context, parts, wanted.end, isolation, now_ms)
    return {part: OffsetRange(starts[part], ends[part]) for part in parts}


def _chosen(wanted: TopicRange, there: Iterable[int]) -> list[TopicPartition]:
    existing = sorted(there)
    chosen = existing if wanted.partitions is None else wanted.partitions
    for number in chosen:
        if number not in existing:
            reason = f"has no partition {number}: it has {len(existing)}"
            raise UnknownTopicError(wanted.topic, reason)
    return [TopicPartition(wanted.topic, number) for number in chosen]


def _offsets(
    context: ClientContext,
    parts: list[TopicPartition],
    bound: Bound,
    isolation: Isolation,
    now_ms: int,
) -> Generator[Step, Received, Offsets]:
    if isinstance(bound, AtOffset):
        return dict.fromkeys(parts, bound.offset)
    if isinstance(bound, AtOffsets):
        return {part: _given(bound.by_partition, part) for part in parts}
    times = dict.fromkeys(parts, bound.timestamp)
    found = yield from look_up_offsets(context, times, isolation, now_ms)
    if bound.timestamp < 0:
        return found
    latest = dict.fromkeys(parts, LATEST)
    ends = yield from look_up_offsets(context, latest, isolation, now_ms)
    return {part: _within(found[part], ends[part]) for part in parts}


def _within(offset: int, end: int) -> int:
    """Where no record is that late, and where a reader may not see that far, it is the end."""
    return end if offset == NOT_FOUND else min(offset, end)


def _given(offsets: Mapping[int, int], part: TopicPartition) -> int:
    if part.partition not in offsets:
        raise InvalidArgumentError(
            f"there is no offset for {part}: give it one, or leave it out by partitions="
        )
    return offsets[part.partition]
