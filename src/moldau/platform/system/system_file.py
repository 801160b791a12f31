"""One open file of the machine, and what its failures mean.

A `SystemFile` keeps the end of its file as a number of its own, so that an append is one `pwrite`
and one addition; the file system is asked for the size once, at opening. Nothing else may write to
a file that is open here; the lock of the log directory sees to that.

Two rules about failure:

- A write that fails half-way is taken back by cutting the file at its former end, as far as the
  disk still allows.
- A failed sync is final. The kernel may mark the pages that it could not write as clean, so that
  a second sync would return success for data that is lost ("fsyncgate"). The file remembers the
  failure and gives the same answer for ever.

What the system calls an errno becomes one of our errors in `translated`, here and nowhere else.
"""

from __future__ import annotations

import contextlib
import errno
import os
from typing import Final

from moldau.errors import (
    DiskFailedError,
    DiskFullError,
    FileMissingError,
    PermissionDeniedError,
    StorageError,
    WrongKindError,
)
from moldau.platform.buffers import Buffer

__all__ = ["SystemFile", "translated"]

RWF_NOWAIT: Final[int] = getattr(os, "RWF_NOWAIT", 0)
"""Read what is in the page cache and fail where something is not; only Linux has it."""
PAGE_BYTES: Final = 4096
"""What the page cache has whole or not at all; where its pages are larger, one is asked twice."""
_write_at: Final = os.pwrite
"""Found once: it is called for each append."""
_probed: Final = (bytearray(1),)
"""Takes what is read to see whether it can be, and is not used."""
_sync_contents: Final = getattr(os, "fdatasync", os.fsync)
"""Contents and size, without the time of change; macOS has only the long way."""

_DENIED: Final = "the process may not do this; give its user the right to read and write there"
_FAILED: Final = "the device failed; look into the kernel's log and replace or repair the disk"
_LIMIT: Final = "too many open files; raise the limit (ulimit -n, LimitNOFILE)"

_MEANINGS: Final[dict[int, tuple[type[StorageError], str]]] = {
    errno.ENOENT: (FileMissingError, "there is no such file or directory"),
    errno.ENOTDIR: (FileMissingError, "a part of the path is a file where a directory is needed"),
    errno.EACCES: (PermissionDeniedError, _DENIED),
    errno.EPERM: (PermissionDeniedError, _DENIED),
    errno.EROFS: (
        PermissionDeniedError,
        "the file system is read-only; mount it writable, and see the kernel's log for the reason",
    ),
    errno.ENOSPC: (DiskFullError, "no room is left on the device; free some or add a larger disk"),
    errno.EDQUOT: (DiskFullError, "the quota of the user is used up; raise it or remove files"),
    errno.EFBIG: (DiskFullError, "the file would be larger than the system allows (ulimit -f)"),
    errno.EIO: (DiskFailedError, _FAILED),
    errno.ENXIO: (DiskFailedError, _FAILED),
    errno.ENODEV: (DiskFailedError, _FAILED),
    errno.ESTALE: (DiskFailedError, "the file server lost the file; mount the directory again"),
    errno.EMFILE: (StorageError, _LIMIT),
    errno.ENFILE: (StorageError, "too many open files on the whole machine; raise fs.file-max"),
    errno.EISDIR: (WrongKindError, "it is a directory where a file is needed; move it away"),
    errno.ELOOP: (WrongKindError, "it is a link that leads back to itself; remove it"),
    errno.ENOTEMPTY: (StorageError, "the directory is not empty"),
    errno.EEXIST: (WrongKindError, "something of another kind has that name; move it away"),
    errno.ENAMETOOLONG: (StorageError, "the name is too long for the file system"),
    errno.EXDEV: (StorageError, "source and target are on two devices; use one for both"),
}


def translated(path: str, error: OSError) -> StorageError:
    """Our error for the system's; a closed or wrongly opened file is our own bug."""
    assert error.errno != errno.EBADF, f"{path} is used closed, or written to though read-only"
    kind, reason = _MEANINGS.get(error.errno or 0, (StorageError, f"{error.strerror or error}"))
    return kind(path, reason)


class SystemFile:
    """One open file of the operating system."""

    __slots__ = ("_descriptor", "_end", "_path", "_sync_failure")

    def __init__(self, path: str, descriptor: int, end: int) -> None:
        self._path = path
        self._descriptor = descriptor
        self._end = end
        self._sync_failure: str | None = None

    def __repr__(self) -> str:
        return f"<SystemFile {self._path} {self._end} bytes>"

    @property
    def path(self) -> str:
        return self._path

    def size(self) -> int:
        return self._end

    def read_at(self, position: int, size: int) -> bytes:
        try:
            data = os.pread(self._descriptor, size, position)
            if len(data) < size and position + len(data) < self._end:
                return self._read_on(position, size, data)
        except OSError as error:
            raise translated(self._path, error) from error
        return data

    def is_cached(self, position: int, size: int) -> bool:
        # hot: for each slice of a fetch; small ones lie in one page, which is asked for once.
        first = position // PAGE_BYTES
        middle = (position + size // 2) // PAGE_BYTES
        last = (position + max(size - 1, 0)) // PAGE_BYTES
        try:
            self._probe(first)
            if middle != first:
                self._probe(middle)
            if last != middle:
                self._probe(last)
        except BlockingIOError:
            return False
        except OSError:
            return True  # this file system cannot report it
        return True

    def _probe(self, page: int) -> None:
        """Fail where this page is not in the page cache."""
        os.preadv(self._descriptor, _probed, page * PAGE_BYTES, RWF_NOWAIT)

    def _read_on(self, position: int, size: int, data: bytes) -> bytes:
        """The rest after a short read, which Linux gives for 2 GiB and more, or after a signal."""
        parts = [data]
        read = len(data)
        while read < size and (part := os.pread(self._descriptor, size - read, position + read)):
            parts.append(part)
            read += len(part)
        return b"".join(parts)

    def append(self, data: Buffer) -> None:
        end = self._end
        try:
            written = _write_at(self._descriptor, data, end)
            if written != len(data):
                self._write_on(end, data, written)
        except OSError as error:
            self._take_back(end)
            raise translated(self._path, error) from error
        self._end = end + len(data)

    def write_at(self, position: int, data: Buffer) -> None:
        try:
            written = _write_at(self._descriptor, data, position)
            if written != len(data):
                self._write_on(position, data, written)
        except OSError as error:
            if position + len(data) > self._end:
                self._take_back(self._end)
            raise translated(self._path, error) from error
        self._end = max(self._end, position + len(data))

    def _write_on(self, position: int, data: Buffer, written: int) -> None:
        """The rest after a short write; a full device fails at the next try."""
        rest = memoryview(data)
        while written < len(rest):
            written += _write_at(self._descriptor, rest[written:], position + written)

    def _take_back(self, end: int) -> None:
        with contextlib.suppress(OSError):
            os.ftruncate(self._descriptor, end)

    def truncate(self, size: int) -> None:
        try:
            os.ftruncate(self._descriptor, size)
        except OSError as error:
            raise translated(self._path, error) from error
        self._end = size

    def sync(self) -> None:
        if self._sync_failure is not None:
            raise DiskFailedError(self._path, self._sync_failure)
        try:
            _sync_contents(self._descriptor)
        except OSError as error:
            self._sync_failure = f"{translated(self._path, error).reason} (a sync failed)"
            raise DiskFailedError(self._path, self._sync_failure) from error

    def descriptor(self) -> int | None:
        return self._descriptor

    def __del__(self) -> None:
        """A handle that was let go while it was still read; see `seldom_file`."""
        self.close()

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor < 0:
            return
        try:
            os.close(descriptor)
        except OSError as error:
            raise translated(self._path, error) from error
