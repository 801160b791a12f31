"""Files of which there are many, each needed now and then: few of them are open at a time.

A node with 10,000 partitions has 20,000 small index files, and a process may have a few thousand
files open. So a `SeldomHandle` gives its file back when others need theirs, and opens it again at
its next call. The one that has been open for longest is the first to go.

Giving back is letting go: the file closes when it is not held any more, so that a call that is
under way in another thread ends in peace. A sync that failed is remembered here, as `SystemFile`
would, and what was written before stays with the kernel, which reports its failure to the next
handle that syncs.
"""

from __future__ import annotations

from _thread import allocate_lock  # what threading has as Lock, without the rest of it
from resource import RLIMIT_NOFILE, getrlimit
from typing import Final, Protocol

from moldau.errors import DiskFailedError
from moldau.platform.buffers import Buffer
from moldau.platform.ports.files import File

OPEN_MAX: Final = 1000
"""Enough that a busy log keeps its own; a node with fewer logs never gives one back."""
SHARE_OF_LIMIT: Final = 8
"""Where the machine's owner allows little, at most an eighth of that."""

__all__ = ["OPEN_MAX", "Open", "SeldomHandle", "SeldomHandles"]


class Open(Protocol):
    """How a file is really opened."""

    def __call__(self, path: str, *, create: bool = False) -> File: ...


class SeldomHandles:
    """Which of them are open."""

    def __init__(self, open_file: Open, open_max: int = OPEN_MAX) -> None:
        self._open_file = open_file
        self._open_max = open_max
        self._opened: dict[SeldomHandle, None] = {}
        self._lock = allocate_lock()
        """Logs are opened and closed beside the loop, several at a time."""

    def __repr__(self) -> str:
        return f"SeldomHandles({len(self._opened)} open)"

    def __len__(self) -> int:
        return len(self._opened)

    def open(self, path: str, *, create: bool = False) -> SeldomHandle:
        """Whether it is there shows now."""
        file = SeldomHandle(self, path)
        file.take_handle(create=create)
        return file

    def take(self, file: SeldomHandle, *, create: bool) -> File:
        """Open it, in the place of the oldest one if there are too many."""
        opened = self._open_file(file.path, create=create)
        bound = max(1, min(self._open_max, getrlimit(RLIMIT_NOFILE)[0] // SHARE_OF_LIMIT))
        with self._lock:
            self._opened[file] = None
            file.opened = opened
            while len(self._opened) > bound:
                oldest = next(iter(self._opened))
                del self._opened[oldest]
                oldest.opened = None
        return opened

    def give_back(self, file: SeldomHandle) -> None:
        with self._lock:
            self._opened.pop(file, None)
            file.opened = None


class SeldomHandle:
    """One of them; the same port as a file that stays open."""

    __slots__ = ("_is_closed", "_path", "_pool", "_sync_failure", "opened")

    def __init__(self, pool: SeldomHandles, path: str) -> None:
        self._pool = pool
        self._path = path
        self.opened: File | None = None
        self._is_closed = False
        self._sync_failure: str | None = None

    def __repr__(self) -> str:
        return f"<SeldomHandle {self._path}{'' if self.opened is None else ', open'}>"

    def handle(self) -> File:
        """The open file; it stays open while the caller holds it."""
        return self.opened or self.take_handle()

    def take_handle(self, *, create: bool = False) -> File:
        assert not self._is_closed, f"{self._path} is used closed"
        return self._pool.take(self, create=create)

    def rest(self) -> None:
        """Let go of the file until it is needed again."""
        self._pool.give_back(self)

    @property
    def path(self) -> str:
        return self._path

    def size(self) -> int:
        return self.handle().size()

    def read_at(self, position: int, size: int) -> bytes:
        return self.handle().read_at(position, size)

    def is_cached(self, position: int, size: int) -> bool:
        return self.handle().is_cached(position, size)

    def append(self, data: Buffer) -> None:
        self.handle().append(data)

    def write_at(self, position: int, data: Buffer) -> None:
        self.handle().write_at(position, data)

    def truncate(self, size: int) -> None:
        self.handle().truncate(size)

    def sync(self) -> None:
        if self._sync_failure is not None:
            raise DiskFailedError(self._path, self._sync_failure)
        try:
            self.handle().sync()
        except DiskFailedError as error:
            self._sync_failure = error.reason
            raise

    def descriptor(self) -> int | None:
        return None

    def close(self) -> None:
        if not self._is_closed:
            self.rest()
            self._is_closed = True
