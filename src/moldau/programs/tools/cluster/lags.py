"""How far groups are behind: in offsets, and in seconds since the oldest record not yet read.

The seconds need that record's time, and so one record of each partition that has a lag is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from moldau import client as clients
from moldau.client import TopicPartition
from moldau.client.admin import GroupType, OffsetPlace
from moldau.client.errors import UnknownTopicError
from moldau.platform.quick_dataclass import dataclass

if TYPE_CHECKING:
    from moldau.client import Consumer
    from moldau.client.admin import Admin

__all__ = ["PartitionLag", "find_lags", "lag_seconds", "times_at"]

MS_PER_SECOND = 1000
WAIT_S = 0.5
WAITS_MAX = 20
FETCH_BYTES = 64 * 1024
"""One record is wanted, not a batch of megabytes; a larger one comes nevertheless."""
COMMITTING = (GroupType.CLASSIC, GroupType.CONSUMER, GroupType.STREAMS)


@dataclass(frozen=True, slots=True)
class PartitionLag:
    """The lag of one group in one partition."""

    group: str
    part: TopicPartition
    committed: int
    end: int | None
    """None where no leader answers."""

    @property
    def lag(self) -> int | None:
        return None if self.end is None else max(0, self.end - self.committed)


def find_lags(
    admin: Admin, groups: Iterable[str] | None = None, *, strict: bool = False
) -> list[PartitionLag]:
    """The lags of these groups, or of all that commit offsets; `strict` raises errors of groups."""
    names = list(groups or admin.list_groups(types=COMMITTING).values)
    if not names:
        return []
    committed = admin.list_consumer_group_offsets(names)
    known = committed.all() if strict else committed.values
    found = [
        (group, part, offset.offset)
        for group, offsets in known.items()
        for part, offset in offsets.items()
        if offset is not None
    ]
    parts = {part for _, part, _ in found}
    ends = admin.list_offsets(dict.fromkeys(parts, OffsetPlace.LATEST)).values
    rows = [
        PartitionLag(group, part, offset, ends[part].offset if part in ends else None)
        for group, part, offset in found
    ]
    return sorted(rows, key=lambda row: (row.group, row.part))


def lag_seconds(
    settings: Mapping[str, object], rows: Iterable[PartitionLag], now_ms: int
) -> dict[PartitionLag, float]:
    """How old the oldest record is that is still to be read; 0 where there is none."""
    kept = list(rows)
    wanted = {(row.part, row.committed) for row in kept if row.lag}
    times = times_at(settings, wanted)
    seconds = {}
    for row in kept:
        time_ms = times.get((row.part, row.committed))
        if row.lag == 0:
            seconds[row] = 0.0
        elif time_ms is not None:
            seconds[row] = max(0.0, (now_ms - time_ms) / MS_PER_SECOND)
    return seconds


def times_at(
    settings: Mapping[str, object], places: Iterable[tuple[TopicPartition, int]]
) -> dict[tuple[TopicPartition, int], int]:
    """The time of the first record at or after each offset, where one comes soon."""
    left: dict[TopicPartition, list[int]] = {}
    for part, offset in places:
        left.setdefault(part, []).append(offset)
    found: dict[tuple[TopicPartition, int], int] = {}
    given = {
        **settings,
        "allow.auto.create.topics": "false",
        "enable.auto.commit": "false",
        "auto.offset.reset": "earliest",
        "max.partition.fetch.bytes": str(FETCH_BYTES),
    }
    with clients.Consumer(given) as consumer:
        while left:
            wanted = {part: offsets[-1] for part, offsets in left.items()}
            try:
                _read_round(consumer, wanted, found)
            except UnknownTopicError as error:  # it was deleted meanwhile
                left = {part: rest for part, rest in left.items() if part.topic != error.topic}
                continue
            left = {part: offsets[:-1] for part, offsets in left.items() if offsets[:-1]}
    return found


def _read_round(
    consumer: Consumer,
    wanted: dict[TopicPartition, int],
    found: dict[tuple[TopicPartition, int], int],
) -> None:
    """One offset of each partition."""
    consumer.assign(list(wanted))
    consumer.resume(list(wanted))
    for part, offset in wanted.items():
        consumer.seek(part, offset)
    waiting = dict(wanted)
    for _ in range(WAITS_MAX):
        for record in consumer.poll(WAIT_S):
            part = TopicPartition(record.topic, record.partition)
            if part in waiting:
                found[part, waiting.pop(part)] = record.timestamp
                consumer.pause([part])
        if not waiting:
            return
