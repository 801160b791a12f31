"""Cutting a log: its end, all of it, or its beginning.

A follower cuts what its leader does not have. What is cut must not come back after a crash, and
no crash may leave a hole, so segments go from the last one backwards, each removal synced before
the next; then the file is cut and synced; then leader epochs and producers follow. The recovery
point moves back at once; the caller writes it to its checkpoint before it appends, for a recovery
point behind new records would leave them unchecked after a crash.

Deleting from the beginning needs no such care: what is left over after a crash lies below the log
start offset, or is deleted again.
"""

from __future__ import annotations

from collections.abc import Sequence

from moldau.broker.log.appending.rolling import begin_segment, draw_jitter, roll
from moldau.broker.log.log_state import LogState
from moldau.broker.log.producers.replay import replay
from moldau.broker.log.segment.file_names import DELETED
from moldau.broker.log.segment.segment import Segment
from moldau.errors import InvalidRecordError
from moldau.platform.ports.files import Files
from moldau.platform.quick_dataclass import dataclass


class StartOffsetError(InvalidRecordError):
    """The log's start cannot move there: what is not replicated may not be lost."""

    code = 1


@dataclass(frozen=True, slots=True)
class Removal:
    """Files that have left the log under a `.deleted` name and wait to be removed."""

    files: Files
    segments: tuple[Segment, ...]
    snapshot_paths: tuple[str, ...] = ()

    def remove(self) -> None:
        """Remove them; the caller waits `file.delete.delay.ms`, for readers may hold slices."""
        for segment in self.segments:
            segment.delete()
        for path in self.snapshot_paths:
            self.files.remove(path)


def truncate_to(state: LogState, offset: int) -> bool:
    """Drop all batches that reach `offset` or lie behind it; true if any did."""
    _ensure_no_flush(state)
    if offset >= state.log_end_offset:
        state.epochs.truncate_from_end(state.log_end_offset)
        return False
    if state.segments.first.base_offset > offset:
        truncate_fully_and_start_at(state, offset)
        return True
    remove_from_end(state, state.segments.based_above(offset))
    segment = state.segments.active
    found = segment.locate(offset)
    end_offset = offset if found is None else min(offset, found[1].base_offset)
    segment.truncate_to(offset)
    segment.log.sync()
    segment.transaction_index.sync()
    segment.activate()
    draw_jitter(state)
    state.active = segment
    _end_at(state, end_offset)
    return True


def _ensure_no_flush(state: LogState) -> None:
    assert not state.flushes_under_way, f"{state.directory}: finish the flush before cutting"


def _end_at(state: LogState, end_offset: int) -> None:
    state.log_end_offset = end_offset
    state.recovery_point = min(state.recovery_point, end_offset)
    state.log_start_offset = min(state.log_start_offset, end_offset)
    state.high_watermark = min(state.high_watermark, end_offset)
    state.high_watermark_place = None
    state.epochs.truncate_from_end(end_offset)
    start_offset, now_ms = state.log_start_offset, state.clock.now_ms()
    state.producers.truncate_and_reload(start_offset, end_offset, now_ms)
    replay(state.producers, state.segments, end_offset)
    state.producers.on_high_watermark(state.high_watermark)


def remove_from_end(state: LogState, segments: Sequence[Segment]) -> None:
    """Delete segments at the end of the log for good, so that no crash leaves a hole."""
    for segment in reversed(segments):
        state.segments.remove(segment)
        segment.change_suffix(DELETED)
        segment.delete()


def truncate_fully_and_start_at(
    state: LogState, offset: int, log_start_offset: int | None = None
) -> None:
    """Drop everything; the next record will have this offset."""
    _ensure_no_flush(state)
    remove_from_end(state, list(state.segments))
    begin_segment(state, offset, state.clock.now_ms())
    state.sync_names()
    state.epochs.clear()
    state.producers.truncate_fully_and_start_at(offset)
    state.log_end_offset = state.recovery_point = state.high_watermark = offset
    state.log_start_offset = offset if log_start_offset is None else log_start_offset
    state.high_watermark_place = None


def advance_start_offset(state: LogState, offset: int) -> bool:
    """Let the log begin later; true if that was new. No file is touched but epochs."""
    if offset > state.high_watermark:
        raise StartOffsetError(
            f"{state.directory}: the log cannot start at {offset}, "
            f"for only {state.high_watermark} is replicated; choose an offset up to there"
        )
    if offset <= state.log_start_offset:
        return False
    state.log_start_offset = offset
    state.epochs.truncate_from_start(offset)
    state.producers.on_log_start_offset(offset)
    return True


def delete_segments(state: LogState, segments: Sequence[Segment]) -> Removal:
    """Take segments from the beginning of the log; where all go, an empty one is begun."""
    assert list(segments) == list(state.segments)[: len(segments)], "only a prefix may be deleted"
    if len(segments) == len(state.segments):
        if state.active.size == 0:
            segments = segments[:-1]
        else:
            roll(state, state.clock.now_ms())
    snapshot_paths = []
    for segment in segments:
        state.segments.remove(segment)
        segment.change_suffix(DELETED)
        path = state.producers.snapshots.mark_deleted(segment.base_offset)
        snapshot_paths += [] if path is None else [path]
    start_offset = max(state.log_start_offset, state.segments.first.base_offset)
    if start_offset > state.log_start_offset:
        advance_start_offset(state, min(start_offset, state.high_watermark))
    return Removal(state.files, tuple(segments), tuple(snapshot_paths))
