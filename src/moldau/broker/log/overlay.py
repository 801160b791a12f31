"""A file system above another one: whatever is written stays in memory, and goes with it.

Opening a log may cut, rebuild and remove. Above an overlay it does all of that, reports what it
found, and the disk below is as it was. Small files alone are changed by an opening, and large ones
only cut; a file that is written to is held in memory as a whole, and no more than `HELD_BYTES_MAX`
of it. Files for people (`.cut`) are refused, as on a disk that is full.
"""

from __future__ import annotations

from moldau.broker.log.cut_files import CUT
from moldau.errors import DiskFullError, FileMissingError
from moldau.platform.buffers import Buffer
from moldau.platform.ports.files import File, FileLock, Files, FileStatus

HELD_BYTES_MAX = 64 * 1024 * 1024
"""Far above the largest index."""


class Held:
    """What the overlay has of one file."""

    def __init__(self, below: str | None, size: int = 0) -> None:
        self.below = below
        """The file on the disk that it began as; None where it is new or was emptied."""
        self.size = size
        self.contents: bytearray | None = None if below else bytearray()
        """As far as it was written; zeros follow up to its size."""


class OverlayFile:
    """One open file; see `moldau.platform.ports.files.File`."""

    def __init__(self, path: str, held: Held, below: File | None) -> None:
        self._path = path
        self._held = held
        self._below = below

    def __repr__(self) -> str:
        return f"OverlayFile({self._path}, {self._held.size} bytes)"

    @property
    def path(self) -> str:
        return self._path

    def size(self) -> int:
        return self._held.size

    def read_at(self, position: int, size: int) -> bytes:
        held = self._held
        size = max(min(size, held.size - position), 0)
        if held.contents is None:
            assert self._below is not None
            return self._below.read_at(position, size)
        found = bytes(held.contents[position : position + size])
        return found + bytes(size - len(found))

    def is_cached(self, position: int, size: int) -> bool:
        return True

    def append(self, data: Buffer) -> None:
        self.write_at(self._held.size, data)

    def write_at(self, position: int, data: Buffer) -> None:
        contents = self._written(position + len(data))
        contents.extend(bytes(max(position - len(contents), 0)))
        contents[position : position + len(data)] = data
        self._held.size = max(self._held.size, len(contents))

    def truncate(self, size: int) -> None:
        held = self._held
        if size == 0:
            held.contents = bytearray()
        elif size > held.size:
            self._written(held.size)
        elif held.contents is not None:
            del held.contents[size:]
        held.size = size

    def _written(self, size: int) -> bytearray:
        """The contents in memory, to be changed; there may be so many."""
        held = self._held
        if max(size, 0 if held.contents is not None else held.size) > HELD_BYTES_MAX:
            raise DiskFullError(self._path, "too large to be changed in memory")
        if held.contents is None:
            held.contents = bytearray(self.read_at(0, held.size))
        return held.contents

    def sync(self) -> None:
        """Nothing of it is on a disk."""

    def descriptor(self) -> int | None:
        return None

    def close(self) -> None:
        if self._below is not None:
            self._below.close()


class OverlayFiles:
    """See `moldau.platform.ports.files.Files`."""

    def __init__(self, below: Files) -> None:
        self._below = below
        self._held: dict[str, Held | None] = {}
        """By path; None for what was removed."""

    def __repr__(self) -> str:
        return f"OverlayFiles({len(self._held)} files above {self._below!r})"

    def open(self, path: str, *, create: bool = False, read_only: bool = False) -> File:
        held = self._find(path)
        if held is None:
            if not create:
                raise FileMissingError(path, "no such file")
            if path.endswith(CUT):
                raise DiskFullError(path, "nothing is kept while the log is only looked at")
            held = self._held[path] = Held(None)
        below = None if held.below is None else self._below.open(held.below, read_only=True)
        return OverlayFile(path, held, below)

    def open_seldom(self, path: str, *, create: bool = False) -> File:
        return self.open(path, create=create)

    def _find(self, path: str) -> Held | None:
        if path not in self._held:
            status = self._below.status(path)
            if status is None or status.is_directory:
                return None
            self._held[path] = Held(path, status.size)
        return self._held[path]

    def status(self, path: str) -> FileStatus | None:
        held = self._held.get(path)
        if path in self._held:
            return None if held is None else FileStatus(held.size, 0, is_directory=False)
        return self._below.status(path)

    def list_directories(self, directory: str) -> list[str]:
        return self._below.list_directories(directory)

    def list(self, directory: str) -> list[str]:
        names = set(self._below.list(directory))
        for path, held in self._held.items():
            parent, _, name = path.rpartition("/")
            if parent == directory:
                (names.discard if held is None else names.add)(name)
        return sorted(names)

    def make_directory(self, path: str) -> None:
        """Logs that are looked at have their directories."""

    def rename(self, source: str, target: str) -> None:
        held = self._find(source)
        if held is None:
            raise FileMissingError(source, "no such file")
        self._held[target], self._held[source] = held, None

    def remove(self, path: str) -> None:
        self._held[path] = None

    def remove_tree(self, path: str) -> None:
        """No opening removes one."""

    def set_modified(self, path: str, modified_ms: int) -> None:
        """Never called."""

    def make_private(self, path: str) -> None:
        """Never called."""

    def make_executable(self, path: str) -> None:
        """Never called."""

    def sync_directory(self, path: str) -> None:
        """Nothing of it is on a disk."""

    def lock(self, path: str) -> FileLock:
        return self._below.lock(path)

    def free_bytes(self, path: str) -> int:
        return self._below.free_bytes(path)

    def total_bytes(self, path: str) -> int:
        return self._below.total_bytes(path)
