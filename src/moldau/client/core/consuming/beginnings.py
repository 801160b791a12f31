"""A dialogue that finds where to begin: the committed offset, or by `auto.offset.reset`."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Mapping

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
from moldau.client.settings.consumer import BY_DURATION, ConsumerSettings
from moldau.client.topic_partition import TopicPartition
from moldau.config.refusals import InvalidSettingError

__all__ = ["duration_ms", "find_beginnings", "look_up", "reset_time"]

DURATION = re.compile(
    r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?", re.IGNORECASE
)
MS = (86_400_000, 3_600_000, 60_000, 1_000)
"""Of a day, an hour, a minute and a second."""


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
            return max(wall_ms - duration_ms(reset.removeprefix(BY_DURATION)), 0)


def duration_ms(text: str) -> int:
    """The milliseconds of a duration of ISO 8601, as Java's Duration writes it."""
    found = DURATION.fullmatch(text)
    if found is None or not any(found.groups()):
        reason = "it is by_duration: and a time such as PT1H or P3D"
        raise InvalidSettingError("auto.offset.reset", text, reason)
    parts: Iterable[str | None] = found.groups()
    return round(sum(float(part or 0) * each for part, each in zip(parts, MS, strict=True)))


def _isolation(settings: ConsumerSettings) -> Isolation:
    return Isolation[settings.isolation_level.upper()]
