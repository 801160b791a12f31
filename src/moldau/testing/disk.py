"""Faults of a node's disk on request: it is slow, or it is full.

    with node.disk.slow(0.2):
        my_program(node.bootstrap)
    node.disk.full()

A slow disk takes so many seconds longer for each write and each sync, and the node waits for it as
it would for a real one. A full disk takes no byte more: files stay as they are, can be read, and
can be cut. As Kafka does, a node that cannot write to its only log directory halts: its clients
lose their connections, and its `with` ends with `LogDirFailureError`. What it had acknowledged is
there when a node starts again on the directory.

A fault is for all files, or for those in whose path a word stands, such as a topic's name.
"""

from __future__ import annotations

from moldau.errors import DiskFullError
from moldau.platform.buffers import Buffer
from moldau.platform.ports.files import File
from moldau.platform.system.files import SystemFileLock, SystemFiles
from moldau.platform.system.waiting import wait_seconds
from moldau.testing.lasting import LastingFault, LastingFaults, seconds_of

__all__ = ["Disk", "DiskFault", "FaultyFiles"]


class DiskFault(LastingFault):
    """One of the faults of a disk; it meets writes and syncs."""

    def __init__(self, word: str, seconds: float | None) -> None:
        super().__init__()
        self._word = word
        self._seconds = seconds
        """How much longer a write takes; None where there is no room for it."""
        self._is_over = False

    def __repr__(self) -> str:
        kind = "full" if self._seconds is None else f"{self._seconds} s slower"
        return f"<DiskFault, {kind}{f', for {self._word}' if self._word else ''}: met {self.met}>"

    @property
    def is_over(self) -> bool:
        return self._is_over

    def end(self) -> None:
        """The disk is as it was."""
        self._is_over = True

    def meet(self, path: str, *, needs_room: bool) -> None:
        """Wait, or raise `DiskFullError`, if it is for this file."""
        if self._is_over or self._word not in path:
            return
        if self._seconds is not None:
            self.met += 1
            wait_seconds(self._seconds)
        elif needs_room:
            self.met += 1
            raise DiskFullError(path, "no room is left on the device; a test wants it full")


class Disk(LastingFaults[DiskFault]):
    """All faults of a node's disk; none at first."""

    def slow(self, seconds: float, *, word: str = "") -> DiskFault:
        """Take so much longer for each write and sync; what else the node does waits, too."""
        return self._add(DiskFault(word, seconds_of(seconds, "a slow disk takes")))

    def full(self, *, word: str = "") -> DiskFault:
        """Have no room for a byte more."""
        return self._add(DiskFault(word, None))

    def meet(self, path: str, *, needs_room: bool) -> None:
        """Before each write and sync."""
        for fault in self._faults:
            fault.meet(path, needs_room=needs_room)


class _FaultyFile:
    """A file on such a disk."""

    __slots__ = ("_disk", "_file")

    def __init__(self, file: File, disk: Disk) -> None:
        self._file = file
        self._disk = disk

    @property
    def path(self) -> str:
        return self._file.path

    def size(self) -> int:
        return self._file.size()

    def read_at(self, position: int, size: int) -> bytes:
        return self._file.read_at(position, size)

    def is_cached(self, position: int, size: int) -> bool:
        return self._file.is_cached(position, size)

    def append(self, data: Buffer) -> None:
        self._disk.meet(self.path, needs_room=True)
        self._file.append(data)

    def write_at(self, position: int, data: Buffer) -> None:
        self._disk.meet(self.path, needs_room=position + len(data) > self.size())
        self._file.write_at(position, data)

    def truncate(self, size: int) -> None:
        self._file.truncate(size)

    def sync(self) -> None:
        self._disk.meet(self.path, needs_room=False)
        self._file.sync()

    def descriptor(self) -> int | None:
        return self._file.descriptor()

    def close(self) -> None:
        self._file.close()


class FaultyFiles(SystemFiles):
    """The file system of this machine, on such a disk."""

    def __init__(self, disk: Disk) -> None:
        super().__init__()
        self._disk = disk
        self._locks: list[SystemFileLock] = []

    def lock(self, path: str) -> SystemFileLock:
        lock = super().lock(path)
        self._locks.append(lock)
        return lock

    def let_go(self) -> None:
        """As the end of a process would: a node that has halted keeps its directories no longer."""
        for lock in self._locks:
            lock.release()

    def open(self, path: str, *, create: bool = False, read_only: bool = False) -> File:
        if create and self.status(path) is None:
            self._disk.meet(path, needs_room=True)
        return super().open(path, create=create, read_only=read_only)

    def _opened(self, path: str, descriptor: int, size: int) -> File:
        return _FaultyFile(super()._opened(path, descriptor, size), self._disk)
