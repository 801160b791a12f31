"""Where a share group begins that has not begun yet: at the end, at the start, or at a time."""

from __future__ import annotations

import re

from moldau.broker.log.reading import Isolation
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.positions import EARLIEST, LATEST, find_offset

BY_DURATION = "by_duration:"
_DURATION = re.compile(
    r"P(?:(?P<days>\d+)D)?"
    r"(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?"
)
_UNIT_MS = {"days": 86_400_000, "hours": 3_600_000, "minutes": 60_000, "seconds": 1_000}


def first_offset(partition: Partition, reset: str, now_ms: int) -> int:
    """The offset by the group's `share.auto.offset.reset`."""
    if reset == "earliest":
        return _find(partition, EARLIEST)
    if reset.startswith(BY_DURATION):
        since_ms = now_ms - duration_ms(reset.removeprefix(BY_DURATION))
        return _find(partition, max(0, since_ms))
    return _find(partition, LATEST)


def _find(partition: Partition, place: int) -> int:
    found = find_offset(partition, place, Isolation.HIGH_WATERMARK)
    return partition.high_watermark if found is None else found.offset


def duration_ms(text: str) -> int:
    """An ISO 8601 duration of days and smaller units."""
    match = _DURATION.fullmatch(text)
    if match is None:
        return 0
    return int(sum(float(count) * _UNIT_MS[unit] for unit, count in match.groupdict("0").items()))
