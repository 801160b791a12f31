"""A dialogue that finds where to begin: the committed offset, or by `auto.offset.reset`."""

from __future__ import annotations

from collections.abc import Generator, Mapping

from moldau.client.core.committed_offset import CommittedOffset
from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Received, Step
from moldau.client.core.group_offsets import fetch_committed
from moldau.client.core.offset_lookups import (
    EARLIEST,
    LATEST,
    NOT_FOUND,
    Isolation,
    look_up_offsets,
)
from moldau.client.errors import NoOffsetError
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition
from moldau.config.durations import ago_ms

__all__ = ["find_beginnings", "look_up", "reset_time"]


def find_beginnings(
    context: ClientContext,
    settings: ConsumerSettings,
    wanted: Mapping[TopicPartition, int | None],
    now_ms: int,
    wall_ms: int,
) -> Generator[Step, Received, dict[TopicPartition, CommittedOffset]]:
    """The next offset of each: by a time or place that is given, else where the group was.

    Only the latter has a leader epoch: where a reader begins it has nothing to compare.
    """
    group, isolation = settings.group_id, _isolation(settings)
    found: dict[TopicPartition, CommittedOffset] = {}
    asked = [part for part, time in wanted.items() if time is None]
    if group is not None and asked:
        committed = yield from fetch_committed(context, group, asked, now_ms)
        found = {part: kept for part, kept in committed.items() if kept is not None}
    times = {part: time for part, time in wanted.items() if time is not None}
    for part in asked:
        if part not in found:
            times[part] = reset_time(settings, part, wall_ms)
    if times:
        offsets = yield from look_up(context, times, isolation, now_ms)
        found |= {part: CommittedOffset(offset) for part, offset in offsets.items()}
    return found


def look_up(
    context: ClientContext, times: Mapping[TopicPartition, int], isolation: Isolation, now_ms: int
) -> Generator[Step, Received, dict[TopicPartition, int]]:
    """Where no record is that late, the end."""
    found = yield from look_up_offsets(context, times, isolation, now_ms)
    missing = [part for part, offset in found.items() if offset == NOT_FOUND]
    if missing:
        ends = dict.fromkeys(missing, LATEST)
        found |= yield from look_up_offsets(context, ends, isolation, now_ms)
    return found


def reset_time(settings: ConsumerSettings, part: TopicPartition, wall_ms: int) -> int:
    """The place or time to begin at where there is no offset, or `NoOffsetError`."""
    reset = settings.auto_offset_reset.lower()
    match reset:
        case "earliest":
            return EARLIEST
        case "latest":
            return LATEST
        case "none":
            raise NoOffsetError(part)
        case _:
            return max(wall_ms - (ago_ms(reset) or 0), 0)


def _isolation(settings: ConsumerSettings) -> Isolation:
    return Isolation[settings.isolation_level.upper()]
