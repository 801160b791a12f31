"""One log directory: its owner, its lock, and what lies in it.

Opening takes the lock, compares `meta.properties` with the node that asks, and notes whether the
last stop was clean. A directory that belongs to another node is refused before anything in it is
touched.

A directory is online until the disk fails. From then on nothing in it is read or written: an
error may have left any part of the last write behind, and what failed to sync once can never be
known to be there. `guard` watches over a piece of work:

    with directory.guard():
        log.append_as_leader(…)

A `StorageError` inside takes the directory offline and goes on to the caller; the next `guard`
raises `DirectoryOfflineError` at once. Other directories go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from moldau.broker.log.directory import offset_checkpoint
from moldau.broker.log.directory.clean_shutdown import (
    NO_BROKER_EPOCH,
    take_clean_shutdown,
    write_clean_shutdown,
)
from moldau.broker.log.directory.meta_properties import (
    FILE_NAME,
    MetaProperties,
    read_meta_properties,
    write_meta_properties,
)
from moldau.broker.log.directory.names import PartitionDirectory, parse_directory_name
from moldau.broker.log.directory.offset_checkpoint import OffsetCheckpoint
from moldau.errors import FileInUseError, MoldauError, StorageError
from moldau.platform.ports.files import FileLock, Files
from moldau.platform.quick_dataclass import dataclass

LOCK_FILE_NAME = ".lock"
NOT_PARTITIONS = frozenset({"remote-log-index-cache", "lost+found"})
"""Directories that belong here, or to the file system, but hold no partition."""


class DirectoryRefusedError(MoldauError):
    """The directory is not this node's to use; nothing in it was changed."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class DirectoryOfflineError(StorageError):
    """The directory failed earlier; it comes back with a restart."""


@dataclass(frozen=True, slots=True)
class DirectoryListing:
    """What lies in a log directory."""

    partitions: tuple[PartitionDirectory, ...]
    unknown: tuple[str, ...]
    """Directories whose names are none of a log's: left alone, worth a line in the node's log."""


class LogDirectory:
    """An open log directory; `open_directory` makes one."""

    def __init__(
        self, files: Files, path: str, properties: MetaProperties, lock: FileLock | None
    ) -> None:
        self._files = files
        self._lock = lock
        self.path = path
        self.properties = properties
        self.offline_reason: str | None = None
        self.clean_shutdown_epoch: int | None = None
        """The broker epoch of the last stop, -1 if it had none; None if it was no clean stop."""
        self.recovery_points = self._checkpoint(offset_checkpoint.RECOVERY_POINTS)
        self.high_watermarks = self._checkpoint(offset_checkpoint.HIGH_WATERMARKS)
        self.log_start_offsets = self._checkpoint(offset_checkpoint.LOG_START_OFFSETS)
        self.cleaner_offsets = self._checkpoint(offset_checkpoint.CLEANER_OFFSETS)

    def __repr__(self) -> str:
        state = "online" if self.is_online else f"offline: {self.offline_reason}"
        return f"LogDirectory({self.path}, {state})"

    @property
    def is_online(self) -> bool:
        return self.offline_reason is None

    @property
    def was_clean(self) -> bool:
        """Whether the node that used it last stopped in order."""
        return self.clean_shutdown_epoch is not None

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Work on the disk: a failure takes the directory offline, and offline it does no work."""
        if self.offline_reason is not None:
            raise DirectoryOfflineError(self.path, f"it is offline since {self.offline_reason}")
        try:
            yield
        except StorageError as error:
            self.take_offline(str(error))
            raise

    def take_offline(self, reason: str) -> None:
        """For good; the first reason stays."""
        if self.offline_reason is None:
            self.offline_reason = reason

    def list_partitions(self) -> DirectoryListing:
        partitions: list[PartitionDirectory] = []
        unknown: list[str] = []
        for name in self._files.list_directories(self.path):
            if name in NOT_PARTITIONS:
                continue
            found = parse_directory_name(name)
            if found is None:
                unknown.append(name)
            else:
                partitions.append(found)
        return DirectoryListing(tuple(partitions), tuple(unknown))

    def take_clean_shutdown(self) -> int | None:
        """Before the logs are opened: from here on, a crash counts as one."""
        self.clean_shutdown_epoch = take_clean_shutdown(self._files, self.path)
        return self.clean_shutdown_epoch

    def mark_clean(self, broker_epoch: int = NO_BROKER_EPOCH) -> None:
        """After every log in it was closed and synced; an offline directory is never clean."""
        if self.is_online:
            write_clean_shutdown(self._files, self.path, broker_epoch)

    def close(self) -> None:
        """Let go of the lock; doing it again does nothing."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _checkpoint(self, name: str) -> OffsetCheckpoint:
        return OffsetCheckpoint(self._files, f"{self.path}/{name}")


def format_directory(
    files: Files, path: str, properties: MetaProperties, comment: str = ""
) -> None:
    """Make the directory if need be and write its identity; refuses one that is formatted."""
    if files.status(path) is None:
        files.make_directory(path)
    if read_meta_properties(files, path) is not None:
        raise DirectoryRefusedError(
            path, "it is formatted already; empty it first if its contents are not needed"
        )
    write_meta_properties(files, path, properties, comment)


def open_directory(files: Files, path: str, *, cluster_id: str, node_id: int) -> LogDirectory:
    """Lock and judge the directory.

    `DirectoryRefusedError` or `CorruptRecordError` if it is not for us, `StorageError` if it
    cannot be read.
    """
    status = files.status(path)
    if status is None:
        raise DirectoryRefusedError(
            path, "no such directory; create and format it, or mount its disk"
        )
    if not status.is_directory:
        raise DirectoryRefusedError(path, "it is a file; name a directory in log.dirs")
    lock = _lock(files, path)
    try:
        properties = read_meta_properties(files, path)
        _compare(path, properties, cluster_id, node_id)
    except MoldauError:
        lock.release()
        raise
    assert properties is not None
    return LogDirectory(files, path, properties, lock)


def _lock(files: Files, path: str) -> FileLock:
    lock_path = f"{path}/{LOCK_FILE_NAME}"
    try:
        return files.lock(lock_path)
    except FileInUseError as error:
        raise DirectoryRefusedError(
            lock_path,
            "another process holds the lock; stop that node, or give this one its own directory",
        ) from error


def _compare(path: str, properties: MetaProperties | None, cluster_id: str, node_id: int) -> None:
    file = f"{path}/{FILE_NAME}"
    if properties is None:
        raise DirectoryRefusedError(file, "no such file; format the directory before its first use")
    if properties.cluster_id != cluster_id:
        raise DirectoryRefusedError(
            file,
            f"the directory belongs to cluster {properties.cluster_id}, this node to {cluster_id}; "
            "mount the right disk, or format this one anew",
        )
    if properties.node_id != node_id:
        raise DirectoryRefusedError(
            file,
            f"the directory belongs to node {properties.node_id}, this is node {node_id}; "
            "mount the right disk, or correct node.id",
        )
