"""Files and directories, as much of them as a log needs.

Rules that every implementation keeps:

- Paths are strings with `/`; a path is a name and nothing is opened by asking about it.
- Calls block. A caller that must not block hands the call to `Tasks.offload`.
- Nothing is durable before `File.sync` (contents and size) and `Files.sync_directory` (names:
  creation, rename, removal) have returned. A crash in between may keep any part of it.
- Every failure is a `moldau.errors.StorageError` with the path in it. After `DiskFailedError`
  nothing about the file's unsynced part may be relied on, and the call is never repeated.
- A write is whole or it raises; a short write is continued inside.
"""

from __future__ import annotations

from typing import Protocol

from moldau.platform.buffers import Buffer
from moldau.platform.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class FileStatus:
    """What the file system has for one name."""

    size: int
    modified_ms: int
    is_directory: bool


class File(Protocol):
    """One open file; positions are bytes from its beginning."""

    @property
    def path(self) -> str:
        """The name it was opened under, for messages."""
        ...

    def size(self) -> int: ...

    def read_at(self, position: int, size: int) -> bytes:
        """Up to `size` bytes; fewer only where the file ends."""
        ...

    def is_cached(self, position: int, size: int) -> bool:
        """Whether reading this would likely not wait for the disk: a few places are looked at."""
        ...

    def append(self, data: Buffer) -> None:
        """Write all of `data` at the end of the file."""
        ...

    def write_at(self, position: int, data: Buffer) -> None: ...

    def truncate(self, size: int) -> None:
        """Cut the file, or grow it with zeros that take no room."""
        ...

    def sync(self) -> None:
        """Return when contents and size would survive a power loss."""
        ...

    def descriptor(self) -> int | None:
        """The system's number for `sendfile`; None where there is no system."""
        ...

    def close(self) -> None:
        """Close; doing it again does nothing."""
        ...


class FileLock(Protocol):
    """A lock that dies with the process that holds it."""

    def release(self) -> None: ...


class Files(Protocol):
    """The file system."""

    def open(self, path: str, *, create: bool = False, read_only: bool = False) -> File:
        """Open an existing file, or with `create` make an empty one where there is none."""
        ...

    def open_seldom(self, path: str, *, create: bool = False) -> File:
        """The same for one of many files that are needed now and then, and never sent from.

        Its handle may be given up between two calls, so its name must stay until it is closed.
        """
        ...

    def status(self, path: str) -> FileStatus | None:
        """None where there is nothing."""
        ...

    def list_directories(self, directory: str) -> list[str]:
        """The names of the directories inside, sorted."""
        ...

    def list(self, directory: str) -> list[str]:
        """The names inside, sorted."""
        ...

    def make_directory(self, path: str) -> None:
        """Make it with its parents; one that is there already is fine."""
        ...

    def rename(self, source: str, target: str) -> None:
        """Rename a file or directory atomically; an existing target file is replaced."""
        ...

    def remove(self, path: str) -> None:
        """Remove a file; a missing one is fine."""
        ...

    def remove_tree(self, path: str) -> None:
        """Remove a directory with all it holds; a missing one is fine."""
        ...

    def set_modified(self, path: str, modified_ms: int) -> None: ...

    def make_private(self, path: str) -> None:
        """From now on its owner alone may read and write it."""
        ...

    def make_executable(self, path: str) -> None:
        """From now on it can be run as a program."""
        ...

    def sync_directory(self, path: str) -> None:
        """Return when the names in this directory would survive a power loss."""
        ...

    def lock(self, path: str) -> FileLock:
        """Create the file if needed and lock it, or raise `FileInUseError` at once."""
        ...

    def free_bytes(self, path: str) -> int:
        """Room that is left for us on the device of `path`."""
        ...

    def total_bytes(self, path: str) -> int:
        """Room on the device of `path`, used or not."""
        ...


def read_whole(files: Files, path: str) -> bytes:
    """The contents of a small file."""
    file = files.open(path, read_only=True)
    try:
        return file.read_at(0, file.size())
    finally:
        file.close()


def replace_whole(
    files: Files, path: str, contents: Buffer, *, syncs_directory: bool = True
) -> None:
    """Put `contents` under `path` so that a crash leaves the old file or the new, never a mix.

    Written beside it as `path.tmp`, synced, renamed over it, and the directory synced, unless the
    caller does that for several files.
    """
    temporary = path + ".tmp"
    file = files.open(temporary, create=True)
    try:
        file.truncate(0)
        file.append(contents)
        file.sync()
    finally:
        file.close()
    files.rename(temporary, path)
    if syncs_directory:
        files.sync_directory(path.rpartition("/")[0] or ".")
