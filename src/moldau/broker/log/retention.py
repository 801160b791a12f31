"""What of a log may be deleted: by age, by size, by where the log starts.

    start offset   a segment all of whose offsets lie below the log's start, whatever the policy
    size           the oldest segments, while the rest is still at least `retention.bytes`
    age            segments whose largest timestamp is more than `retention.ms` ago

Only a prefix of the segments ever goes, and none at or above the high watermark: the log start can
never pass what is replicated. The active segment counts too, unless it is empty; where it would go
`delete_expired` rolls first. A record from the future keeps its segment, and all behind it, from
ageing.

`DelayedRemovals` is the minute between the rename to `.deleted` and the removal, during which
readers may still hold slices of the files.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Generic, NamedTuple, Protocol, TypeVar

from moldau.broker.log.log_state import LogState
from moldau.broker.log.settings import LogSettings
from moldau.broker.log.truncation import Removal, delete_segments


class AgingSegment(Protocol):
    """What retention asks of a segment."""

    base_offset: int
    size: int

    @property
    def largest_timestamp(self) -> int: ...


class Removable(Protocol):
    """Files that have left their log and wait to be removed."""

    def remove(self) -> None: ...


AnySegment = TypeVar("AnySegment", bound=AgingSegment)


class RetentionReason(Enum):
    """Why a segment goes; the words are for the node's log."""

    START_OFFSET = "lies below the log start offset"
    SIZE = "lies beyond retention.bytes"
    AGE = "is older than retention.ms"


class LogExtent(NamedTuple):
    """The offsets of a log that retention obeys."""

    log_start_offset: int
    high_watermark: int
    log_end_offset: int


def find_expired(
    segments: Sequence[AnySegment], settings: LogSettings, extent: LogExtent, now_ms: int
) -> list[tuple[AnySegment, RetentionReason]]:
    """The segments to remove now, oldest first, and why; `segments` are all of the log's."""
    walk = _OldestFirst(segments, extent)
    walk.take_while(_below_start(extent.log_start_offset), RetentionReason.START_OFFSET)
    if settings.deletes and settings.retention_bytes >= 0:
        walk.take_while(_too_much(walk.left_bytes, settings), RetentionReason.SIZE)
    if settings.deletes and settings.retention_ms >= 0:
        walk.take_while(_too_old(now_ms - settings.retention_ms), RetentionReason.AGE)
    return walk.taken


Rule = Callable[[AgingSegment, int], bool]
"""Whether a segment is removed, given it and the base offset of the one after it (-1 for none)."""


class _OldestFirst(Generic[AnySegment]):
    """Takes segments from the beginning, as far as the rules let it."""

    def __init__(self, segments: Sequence[AnySegment], extent: LogExtent) -> None:
        self._segments = segments
        self._extent = extent
        self.taken: list[tuple[AnySegment, RetentionReason]] = []

    @property
    def left_bytes(self) -> int:
        return sum(segment.size for segment in self._segments[len(self.taken) :])

    def take_while(self, rule: Rule, reason: RetentionReason) -> None:
        for index in range(len(self.taken), len(self._segments)):
            segment = self._segments[index]
            following = self._base_offset(index + 1)
            end_offset = self._extent.log_end_offset if following < 0 else following
            is_empty_active = following < 0 and segment.size == 0
            if is_empty_active or end_offset > self._extent.high_watermark:
                return
            if not rule(segment, following):
                return
            self.taken.append((segment, reason))

    def _base_offset(self, index: int) -> int:
        return self._segments[index].base_offset if index < len(self._segments) else -1


def _below_start(log_start_offset: int) -> Rule:
    return lambda _segment, following: 0 <= following <= log_start_offset


def _too_much(total_bytes: int, settings: LogSettings) -> Rule:
    surplus = total_bytes - settings.retention_bytes

    def rule(segment: AgingSegment, _following: int) -> bool:
        nonlocal surplus
        surplus -= segment.size
        return surplus >= 0

    return rule


def _too_old(oldest_ms: int) -> Rule:
    return lambda segment, _following: segment.largest_timestamp < oldest_ms


class Expired(NamedTuple):
    """Segments that have left their log, and why."""

    removal: Removal
    reasons: tuple[RetentionReason, ...]
    """One for each segment, oldest first."""


def delete_expired(state: LogState) -> Expired | None:
    """Take the expired segments out of the log; None where there is none."""
    extent = LogExtent(state.log_start_offset, state.high_watermark, state.log_end_offset)
    now_ms = state.clock.now_ms()
    expired = find_expired(list(state.segments), state.settings, extent, now_ms)
    if not expired:
        return None
    removal = delete_segments(state, [segment for segment, _ in expired])
    return Expired(removal, tuple(reason for _, reason in expired))


class DelayedRemovals:
    """Removals that wait for their time; a caller with a timer calls `run_due`."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[int, Removable]] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, removal: Removable, now_ms: int, delay_ms: int) -> None:
        """Remove it `delay_ms` from now: `file.delete.delay.ms`."""
        self._waiting.append((now_ms + delay_ms, removal))

    def run_due(self, now_ms: int) -> int:
        """Remove what is due; returns how many were. What fails goes with the next start."""
        due = [removal for due_ms, removal in self._waiting if due_ms <= now_ms]
        self._waiting = deque(entry for entry in self._waiting if entry[0] > now_ms)
        for removal in due:
            removal.remove()
        return len(due)
