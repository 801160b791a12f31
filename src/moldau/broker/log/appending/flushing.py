"""From the page cache to the disk: when, and in which order.

The recovery point moves last, after contents and names: below it no recovery will ever look. The
active segment's indexes need no sync, for recovery rebuilds those of the segment that holds the
recovery point; a sealed segment is synced with all its files before the point leaves it.

A flush has three steps, of which only the middle one waits for the disk, and it alone may run
beside the log's owner, who goes on appending, rolling and reading meanwhile:

    work = begin_flush(state)     what is to be synced, as it is now
    work.sync()                   anywhere; touches nothing of the state
    finish_flush(state, work)     the recovery point moves, or the log fails

Until it is finished nothing is cut and no file is closed; names and snapshots that come in between
are left for the next one.

`flush.messages` is obeyed by appending, `flush.ms` by a timer through `flush_if_due`.
"""

from __future__ import annotations

from moldau.broker.log.log_state import LogState
from moldau.broker.log.segment.segment import Segment
from moldau.errors import FileMissingError, StorageError
from moldau.platform.ports.files import Files


class Flush:
    """One flush that was begun."""

    __slots__ = (
        "active", "directory", "failure", "files", "name_changes", "needs_names", "sealed",
        "snapshot_paths", "up_to",
    )  # fmt: skip

    def __init__(
        self, state: LogState, up_to: int, active: Segment | None, sealed: tuple[Segment, ...]
    ) -> None:
        self.files = state.files
        self.directory = state.directory
        self.up_to = up_to
        self.active = active
        """The active segment, if records of it are to be synced."""
        self.sealed = sealed
        self.snapshot_paths = tuple(state.unsynced_snapshots)
        self.name_changes = state.name_changes
        """How many there were when it began."""
        self.needs_names = not state.names_synced
        self.failure: StorageError | None = None
        """Why it did not succeed; `finish_flush` raises it."""

    def __repr__(self) -> str:
        return f"Flush({self.directory}, up to {self.up_to})"

    def sync(self) -> None:
        """Wait for the disk; may run in another thread."""
        try:
            self._sync()
        except StorageError as error:
            self.failure = error

    def _sync(self) -> None:
        for segment in self.sealed:
            segment.sync()
        if self.active is not None:
            self.active.log.sync()
        for path in self.snapshot_paths:
            _sync_if_there(self.files, path)
        if self.needs_names:
            self.files.sync_directory(self.directory)


def flush(state: LogState, up_to: int | None = None) -> None:
    """Make all records below `up_to`, or all there are, survive a power loss."""
    work = begin_flush(state, up_to)
    work.sync()
    state.flushes_under_way -= 1
    finish_flush(state, work)


def begin_flush(state: LogState, up_to: int | None = None) -> Flush:
    """What has to be synced so that all records below `up_to`, or all, survive a power loss."""
    up_to = state.log_end_offset if up_to is None else min(up_to, state.log_end_offset)
    state.flushed_ms = state.clock.now_ms()
    unsynced = state.segments.starting_at_floor(state.recovery_point)
    unsynced = [one for one in unsynced if state.recovery_point < up_to > one.base_offset]
    sealed = [one for one in unsynced if one is not state.active]
    for segment in sealed:
        _open_files(segment)
    state.flushes_under_way += 1
    active = state.active if state.active in unsynced else None
    return Flush(state, up_to, active, tuple(sealed))


def finish_flush(state: LogState, work: Flush) -> None:
    """Move the recovery point over what is on the disk now; raises what the sync met."""
    if work.failure is not None:
        raise work.failure
    for path in work.snapshot_paths:
        if path in state.unsynced_snapshots:
            state.unsynced_snapshots.remove(path)
    state.name_changes_synced = max(state.name_changes_synced, work.name_changes)
    state.recovery_point = max(state.recovery_point, work.up_to)


def flush_if_due(state: LogState) -> None:
    """Flush if the last one is longer ago than `flush.ms`."""
    if state.clock.now_ms() - state.flushed_ms >= state.settings.flush_ms:
        flush(state)


def has_sealed_unflushed(state: LogState) -> bool:
    """Whether a segment that has rolled waits to be flushed; up to the active one's base."""
    return state.recovery_point < state.active.base_offset


def _open_files(segment: Segment) -> None:
    """Open what `Segment.sync` would open, so that it may run beside readers."""
    assert segment.log is not None
    assert segment.transaction_index is not None


def _sync_if_there(files: Files, path: str) -> None:
    """A snapshot may have been removed with its segment."""
    try:
        file = files.open(path)
    except FileMissingError:
        return
    try:
        file.sync()
    finally:
        file.close()
