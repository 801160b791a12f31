"""What the state machine may know of the log: where it ends and how it got there.

The log itself is the runtime's. Two logs agree up to an offset if the
record before it has the same epoch in both; comparing ends by (epoch, offset) therefore shows
which of two logs has more that may be committed.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol


class LogEnd(NamedTuple):
    """The end of a log, or of an epoch in it; compared by epoch first."""

    epoch: int
    offset: int
    """One after the last record."""


class SnapshotId(NamedTuple):
    """A snapshot holds all records below this offset; the last of them is of this epoch."""

    end_offset: int
    epoch: int

    @property
    def log_end(self) -> LogEnd:
        """Where a log ends that has as much: one that ends before it has less, or is another."""
        return LogEnd(self.epoch, self.end_offset)

    def __str__(self) -> str:
        return f"{self.end_offset:020d}-{self.epoch:010d}"


BOOTSTRAP_SNAPSHOT = SnapshotId(0, 0)
"""What a formatted directory begins with: voters, but no record of the log."""


class LogView(Protocol):
    """A log that is there to be asked."""

    @property
    def start_offset(self) -> int: ...

    @property
    def end(self) -> LogEnd:
        """Its end and the epoch of its last record, or of the snapshot that stands for it."""
        ...

    def end_of_epoch(self, epoch: int) -> LogEnd:
        """The largest epoch in the log that is not above `epoch`, and where it ends."""
        ...

    @property
    def earliest_snapshot(self) -> SnapshotId | None: ...

    @property
    def latest_snapshot(self) -> SnapshotId | None: ...
