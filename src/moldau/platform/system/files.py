"""Files for real: opened, listed, renamed, removed; what is open is a `system_file`."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from importlib import import_module

from moldau.errors import DiskFailedError, FileInUseError, StorageError
from moldau.platform.ports.files import File, FileStatus
from moldau.platform.system.seldom_file import SeldomHandle, SeldomHandles
from moldau.platform.system.system_file import SystemFile, translated

FILE_MODE = 0o644
PRIVATE_MODE = 0o600
PROGRAM_MODE = 0o755
DIRECTORY_MODE = 0o755
NS_PER_MS = 1_000_000


class SystemFileLock:
    """An advisory lock on a file that stays where it is.

    Two kinds at once: flock keeps out other nodes of ours, in this process too; a record lock
    (fcntl) keeps out Apache Kafka, because that is the kind that Java takes.
    """

    __slots__ = ("_descriptor", "_path")

    def __init__(self, path: str, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor

    def release(self) -> None:
        """Let go; doing it again does nothing."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


class SystemFiles:
    """The file system of this machine."""

    def __init__(self) -> None:
        self._seldom = SeldomHandles(self.open)

    def open(self, path: str, *, create: bool = False, read_only: bool = False) -> File:
        flags = os.O_CLOEXEC | (os.O_RDONLY if read_only else os.O_RDWR)
        if create:
            flags |= os.O_CREAT
        try:
            descriptor = os.open(path, flags, FILE_MODE)
        except OSError as error:
            raise translated(path, error) from error
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            os.close(descriptor)
            raise translated(path, OSError(errno.EISDIR, os.strerror(errno.EISDIR)))
        return self._opened(path, descriptor, status.st_size)

    def _opened(self, path: str, descriptor: int, size: int) -> File:
        """Overridden where disks fail on request."""
        return SystemFile(path, descriptor, size)

    def open_seldom(self, path: str, *, create: bool = False) -> SeldomHandle:
        return self._seldom.open(path, create=create)

    def status(self, path: str) -> FileStatus | None:
        try:
            found = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise translated(path, error) from error
        modified_ms = found.st_mtime_ns // NS_PER_MS
        return FileStatus(found.st_size, modified_ms, stat.S_ISDIR(found.st_mode))

    def list_directories(self, directory: str) -> list[str]:
        try:
            with os.scandir(directory) as entries:
                return sorted(entry.name for entry in entries if _is_directory(entry))
        except OSError as error:
            raise translated(directory, error) from error

    def list(self, directory: str) -> list[str]:
        try:
            return sorted(os.listdir(directory))
        except OSError as error:
            raise translated(directory, error) from error

    def make_directory(self, path: str) -> None:
        try:
            os.makedirs(path, DIRECTORY_MODE, exist_ok=True)
        except OSError as error:
            raise translated(path, error) from error

    def rename(self, source: str, target: str) -> None:
        try:
            os.replace(source, target)
        except OSError as error:
            raise translated(source, error) from error

    def remove(self, path: str) -> None:
        try:
            os.unlink(path)
        except FileNotFoundError:
            return
        except OSError as error:
            raise translated(path, error) from error

    def remove_tree(self, path: str) -> None:
        try:
            import_module("shutil").rmtree(path)  # not at a start: 10 ms, with three codecs
        except FileNotFoundError:
            return
        except OSError as error:
            raise translated(path, error) from error

    def set_modified(self, path: str, modified_ms: int) -> None:
        try:
            os.utime(path, ns=(modified_ms * NS_PER_MS, modified_ms * NS_PER_MS))
        except OSError as error:
            raise translated(path, error) from error

    def make_private(self, path: str) -> None:
        try:
            os.chmod(path, PRIVATE_MODE)
        except OSError as error:
            raise translated(path, error) from error

    def make_executable(self, path: str) -> None:
        try:
            os.chmod(path, PROGRAM_MODE)
        except OSError as error:
            raise translated(path, error) from error

    def sync_directory(self, path: str) -> None:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise translated(path, error) from error
        try:
            os.fsync(descriptor)
        except OSError as error:
            raise DiskFailedError(
                path, f"{translated(path, error).reason} (a sync failed)"
            ) from error
        finally:
            os.close(descriptor)

    def lock(self, path: str) -> SystemFileLock:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        except OSError as error:
            raise translated(path, error) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            raise _lock_refused(path, error) from error
        return SystemFileLock(path, descriptor)

    def free_bytes(self, path: str) -> int:
        found = _volume(path)
        return found.f_bavail * found.f_frsize

    def total_bytes(self, path: str) -> int:
        found = _volume(path)
        return found.f_blocks * found.f_frsize


def _is_directory(entry: os.DirEntry[str]) -> bool:
    """A link that loops leads to none."""
    try:
        return entry.is_dir()
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        return False


def _volume(path: str) -> os.statvfs_result:
    try:
        return os.statvfs(path)
    except OSError as error:
        raise translated(path, error) from error


def _lock_refused(path: str, error: OSError) -> StorageError:
    if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
        reason = "another process uses this directory; stop it, or give this one its own directory"
        return FileInUseError(path, reason)
    return translated(path, error)
