"""From the page cache to the disk: when, and in which order.

The recovery point moves last, after contents and names: below it no recovery will ever look. The
active segment's indexes need no sync, for recovery rebuilds those of the segment that holds the
recovery point; a sealed segment is synced with all its files before the point leaves it.

`flush.messages` is obeyed by appending, `flush.ms` by whoever has a timer and asks `flush_if_due`.
"""

from __future__ import annotations

from moldau.log.log_state import LogState
from moldau.ports.files import Files


def flush(state: LogState, up_to: int | None = None) -> None:
    """Make all records below `up_to`, or all there are, survive a power loss."""
    up_to = state.log_end_offset if up_to is None else min(up_to, state.log_end_offset)
    state.flushed_ms = state.clock.now_ms()
    if up_to > state.recovery_point:
        _sync_segments(state, up_to)
    for path in state.unsynced_snapshots:
        _sync_if_there(state.files, path)
    state.unsynced_snapshots.clear()
    if not state.names_synced:
        state.sync_names()
    state.recovery_point = max(state.recovery_point, up_to)


def _sync_segments(state: LogState, up_to: int) -> None:
    for segment in state.segments.starting_at_floor(state.recovery_point):
        if segment is state.active:
            segment.log.sync()
        elif segment.base_offset < up_to:
            segment.sync()


def flush_if_due(state: LogState) -> None:
    """Flush if the last one is longer ago than `flush.ms`."""
    if state.clock.now_ms() - state.flushed_ms >= state.settings.flush_ms:
        flush(state)


def has_sealed_unflushed(state: LogState) -> bool:
    """Whether a segment that has rolled waits to be flushed; up to the active one's base."""
    return state.recovery_point < state.active.base_offset


def _sync_if_there(files: Files, path: str) -> None:
    """A snapshot may have been removed with its segment."""
    if files.status(path) is None:
        return
    file = files.open(path)
    try:
        file.sync()
    finally:
        file.close()
