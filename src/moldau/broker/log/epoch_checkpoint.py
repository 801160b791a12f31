"""Which leader epoch began at which offset: `leader-epoch-checkpoint`.

Each leader notes the offset at which its epoch starts before it writes anything. Followers that
come back compare these notes with their leader's and cut what the two do not share (KIP-101,
KIP-279).

    epoch         0     2     5         both rows ascend strictly: an epoch that starts where its
    start offset  0     120   340       predecessor did replaces it, for that one wrote nothing

An epoch ends where the next one starts; the latest ends at the end of the log. Every change is on
disk when the method returns, so a truncated log never carries epochs of what it lost. One change
may wait: an opened log that has no epoch left writes that with the note of its next one, which
comes before the next record. Until then every opening would cut the file's epochs again, as this
one did.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter
from typing import Final, NamedTuple

from moldau.broker.log.directory.checkpoint_text import (
    CorruptCheckpointError,
    read_checkpoint,
    split_numbers,
    write_checkpoint,
)
from moldau.platform.ports.files import Files

FILE_NAME: Final = "leader-epoch-checkpoint"
UNDEFINED_EPOCH: Final = -1
UNDEFINED_OFFSET: Final = -1

_EPOCH: Final = itemgetter(0)
_START: Final = itemgetter(1)


class EpochEntry(NamedTuple):
    """A leader epoch and the offset of its first record."""

    epoch: int
    start_offset: int


class EpochCache:
    """The epochs of one partition, in memory and in its checkpoint file."""

    def __init__(self, files: Files, path: str) -> None:
        self._files = files
        self._path = path
        self._entries = _load(files, path)
        self._is_behind = False
        """Whether the file still has epochs, and memory none."""

    def __repr__(self) -> str:
        return f"EpochCache({self._path}, {len(self._entries)} epochs, latest {self.latest_epoch})"

    @property
    def entries(self) -> tuple[EpochEntry, ...]:
        return tuple(self._entries)

    @property
    def latest_epoch(self) -> int | None:
        return self._entries[-1].epoch if self._entries else None

    @property
    def earliest(self) -> EpochEntry | None:
        return self._entries[0] if self._entries else None

    @property
    def latest_start_offset(self) -> int:
        """Where the latest epoch began; 0 without one."""
        return self._entries[-1].start_offset if self._entries else 0

    def assign(self, epoch: int, start_offset: int) -> bool:
        """Note that `epoch` starts at `start_offset`; true if that was new.

        Entries that the new one contradicts (same or later epoch, same or later start) go.
        """
        assert epoch >= 0, f"leader epoch {epoch} of {self._path}"
        assert start_offset >= 0, f"start offset {start_offset} of {self._path}"
        if not self._assign(epoch, start_offset):
            return False
        self.flush()
        return True

    def _assign(self, epoch: int, start_offset: int) -> bool:
        latest = self._entries[-1] if self._entries else None
        if latest is not None and latest.epoch == epoch and start_offset >= latest.start_offset:
            return False
        while self._entries and _contradicts(self._entries[-1], epoch, start_offset):
            self._entries.pop()
        self._entries.append(EpochEntry(epoch, start_offset))
        return True

    def settle(self, start_offset: int, end_offset: int, new_epoch: int | None = None) -> bool:
        """Be true of a log that spans these offsets and, if that is new, of its present leader.

        All in one write at most; true if there was one. It waits where no epoch is left.
        """
        before = self._entries.copy()
        self._cut_end(end_offset)
        self._cut_start(start_offset)
        latest = UNDEFINED_EPOCH if self.latest_epoch is None else self.latest_epoch
        if new_epoch is not None and new_epoch > latest:
            self._assign(new_epoch, end_offset)
        if self._entries == before:
            return False
        if not self._entries:
            self._is_behind = True
            return False
        self.flush()
        return True

    def catch_up(self) -> None:
        """Write what memory has, before a record without an epoch comes."""
        if self._is_behind:
            self.flush()

    def epoch_for_offset(self, offset: int) -> int | None:
        """The epoch that wrote the record at `offset`."""
        index = bisect_right(self._entries, offset, key=_START)
        return self._entries[index - 1].epoch if index else None

    def previous_epoch(self, epoch: int) -> int | None:
        """The largest known epoch below `epoch`."""
        index = bisect_right(self._entries, epoch - 1, key=_EPOCH)
        return self._entries[index - 1].epoch if index else None

    def end_offset_for(self, epoch: int, log_end_offset: int) -> tuple[int, int]:
        """The largest known epoch not above `epoch`, and where it ends.

        (-1, -1) where the asked epoch is newer than all known ones. One older than all known ones
        is answered as it was asked, with the start of the first.
        """
        if not self._entries or epoch == UNDEFINED_EPOCH or epoch > self._entries[-1].epoch:
            return UNDEFINED_EPOCH, UNDEFINED_OFFSET
        if epoch == self._entries[-1].epoch:
            return epoch, log_end_offset
        index = bisect_right(self._entries, epoch, key=_EPOCH)
        known = self._entries[index - 1].epoch if index else epoch
        return known, self._entries[index].start_offset

    def truncate_from_end(self, end_offset: int) -> None:
        """Forget the epochs that start at or after the new end of the log."""
        if self._cut_end(end_offset):
            self.flush()

    def _cut_end(self, end_offset: int) -> bool:
        if not self._entries or self._entries[-1].start_offset < end_offset:
            return False
        while self._entries and self._entries[-1].start_offset >= end_offset:
            self._entries.pop()
        return True

    def truncate_from_start(self, start_offset: int) -> None:
        """Forget what lies below the new start; the epoch that reaches over it now starts there."""
        if self._cut_start(start_offset):
            self.flush()

    def _cut_start(self, start_offset: int) -> bool:
        index = bisect_right(self._entries, start_offset, key=_START)
        if not index or (index == 1 and self._entries[0].start_offset == start_offset):
            return False
        straddling = EpochEntry(self._entries[index - 1].epoch, start_offset)
        self._entries[:index] = [straddling]
        return True

    def clear(self) -> None:
        self._entries.clear()
        self.flush()

    def flush(self) -> None:
        """Write the file, durably."""
        lines = (f"{entry.epoch} {entry.start_offset}" for entry in self._entries)
        write_checkpoint(self._files, self._path, lines)
        self._is_behind = False


def _contradicts(entry: EpochEntry, epoch: int, start_offset: int) -> bool:
    return entry.epoch >= epoch or entry.start_offset >= start_offset


def _load(files: Files, path: str) -> list[EpochEntry]:
    entries: list[EpochEntry] = []
    for line in read_checkpoint(files, path):
        if line.count(" ") != 1:
            raise CorruptCheckpointError(path, f"malformed entry {line!r}")
        epoch, start_offset = split_numbers(path, line, 2)
        if (
            epoch < 0
            or start_offset < 0
            or (entries and _contradicts(entries[-1], epoch, start_offset))
        ):
            raise CorruptCheckpointError(path, f"entry {line!r} does not ascend")
        entries.append(EpochEntry(epoch, start_offset))
    return entries
