"""Which logs need compaction, and which part of them (KIP-58, KIP-354).

    clean | dirty: one map of keys is made from it | not yet: too young, unstable, active
          ^ first dirty offset                     ^ first uncleanable offset

The checkpoint of the last round is where the dirty part begins. It ends with the segment before
the first one that is active, holds the last stable offset or the recovery point, or has a record
younger than `min.compaction.lag.ms`. A log is due when more than `min.cleanable.dirty.ratio` of its
cleanable bytes are dirty, or when its oldest dirty record is older than `max.compaction.lag.ms`.

Compaction never goes beyond the recovery point, which Kafka does not ask for: what it makes of
records must not be safer on the disk than the records themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from moldau.broker.log.log_state import LogState
from moldau.broker.log.segment.segment import Segment
from moldau.broker.log.settings import LogSettings
from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass


class CompactionStoppedError(MoldauError):
    """The log is to be cut or deleted, or has moved; nothing is lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DirtyRange:
    """What a round of compaction would do in one log."""

    first_dirty_offset: int
    first_uncleanable_offset: int
    clean_bytes: int
    cleanable_bytes: int
    overdue_ms: int
    """By how much a dirty record is older than `max.compaction.lag.ms`; 0 where none is."""
    min_ratio: float
    """`min.cleanable.dirty.ratio` of the topic."""
    is_reset: bool = False
    """The checkpoint lies outside of the log and must be written anew."""

    @property
    def dirty_ratio(self) -> float:
        total_bytes = self.clean_bytes + self.cleanable_bytes
        return self.cleanable_bytes / total_bytes if total_bytes else 0.0

    @property
    def is_due(self) -> bool:
        return self.cleanable_bytes > 0 and (
            self.overdue_ms > 0 or self.dirty_ratio > self.min_ratio
        )


def measure(state: LogState, cleaned_up_to: int | None, now_ms: int) -> DirtyRange:
    """What there is to do in a log whose last round ended at `cleaned_up_to` (None: never)."""
    first_dirty = state.log_start_offset if cleaned_up_to is None else cleaned_up_to
    is_reset = not state.log_start_offset <= first_dirty <= state.log_end_offset
    if is_reset:
        first_dirty = state.log_start_offset
    segments = list(state.segments)
    uncleanable = _first_uncleanable(state, segments, first_dirty, now_ms)
    dirty = [one for one in segments if first_dirty <= one.base_offset < uncleanable.base_offset]
    straddling = state.segments.floor(first_dirty)
    if straddling is not None and straddling.base_offset < min(
        first_dirty, uncleanable.base_offset
    ):
        dirty.insert(0, straddling)
    first = dirty[0].base_offset if dirty else uncleanable.base_offset
    return DirtyRange(
        first_dirty_offset=first_dirty,
        first_uncleanable_offset=uncleanable.base_offset,
        clean_bytes=sum(segment.size for segment in segments if segment.base_offset < first),
        cleanable_bytes=sum(segment.size for segment in dirty),
        overdue_ms=_overdue_ms(dirty, state.settings, now_ms),
        min_ratio=state.settings.min_cleanable_dirty_ratio,
        is_reset=is_reset,
    )


def _first_uncleanable(
    state: LogState, segments: Sequence[Segment], first_dirty: int, now_ms: int
) -> Segment:
    """The first segment that must stay as it is."""
    bound = min(state.last_stable_offset, state.recovery_point, state.log_end_offset)
    youngest_ms = now_ms - state.settings.min_compaction_lag_ms
    for segment in segments[:-1]:
        end_offset = state.segments.end_of(segment, state.log_end_offset)
        if bound < end_offset:
            return segment
        is_dirty = end_offset > first_dirty
        is_young = segment.largest_timestamp > youngest_ms
        if is_dirty and state.settings.min_compaction_lag_ms > 0 and is_young:
            return segment
    return state.active


def _overdue_ms(dirty: Sequence[Segment], settings: LogSettings, now_ms: int) -> int:
    oldest_ms = now_ms - max(settings.max_compaction_lag_ms, 0)
    times = (segment.first_timestamp for segment in dirty)
    return max((oldest_ms - one for one in times if 0 < one < oldest_ms), default=0)


def group_segments(
    segments: Sequence[Segment], settings: LogSettings, first_uncleanable_offset: int
) -> list[list[Segment]]:
    """Neighbours that fit into one new segment each: by bytes, index room and range of offsets."""
    groups: list[list[Segment]] = []
    ends = [segment.base_offset for segment in segments[1:]] + [first_uncleanable_offset]
    for segment, end_offset in zip(segments, ends, strict=False):
        if groups and _fits(groups[-1], segment, end_offset, settings):
            groups[-1].append(segment)
        else:
            groups.append([segment])
    return groups


def _fits(group: list[Segment], segment: Segment, end_offset: int, settings: LogSettings) -> bool:
    together = [*group, segment]
    index_bytes = sum(one.offset_index.size for one in together)
    time_index_bytes = sum(one.time_index.size for one in together)
    return (
        sum(one.size for one in together) <= settings.segment_bytes
        and max(index_bytes, time_index_bytes) <= settings.segment_index_bytes
        and (segment.size == 0 or group[0].has_room_for_offset(end_offset - 1))
    )
