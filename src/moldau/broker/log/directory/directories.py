"""All log directories of a node.

Two kinds of trouble are kept apart. A directory of another node, locked, or not formatted
is a mistake of the people who run the node, and the node does not start. A directory whose disk
fails is expected in the long run: the node goes on with the others, and only without any it stops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from moldau.broker.log.directory.directory import (
    DirectoryRefusedError,
    LogDirectory,
    open_directory,
)
from moldau.errors import StorageError
from moldau.platform.ports.files import Files


class LogDirectories:
    """The directories of `log.dirs`, those that failed at the start included."""

    def __init__(self, opened: Iterable[LogDirectory], failed: dict[str, str]) -> None:
        self.opened = tuple(opened)
        self._failed = failed

    def __iter__(self) -> Iterator[LogDirectory]:
        """Those that can be used now."""
        return (directory for directory in self.opened if directory.is_online)

    @property
    def offline(self) -> dict[str, str]:
        """Path and reason of those that cannot."""
        later = {
            directory.path: directory.offline_reason
            for directory in self.opened
            if directory.offline_reason is not None
        }
        return {**self._failed, **later}

    def close(self) -> None:
        for directory in self.opened:
            directory.close()


def open_directories(
    files: Files, paths: Iterable[str], *, cluster_id: str, node_id: int
) -> LogDirectories:
    """Open all; raises if one is refused, or if none is left."""
    opened: list[LogDirectory] = []
    failed: dict[str, str] = {}
    try:
        for path in paths:
            try:
                directory = open_directory(files, path, cluster_id=cluster_id, node_id=node_id)
            except StorageError as error:
                failed[path] = str(error)
                continue
            opened.append(directory)
            _refuse_copy(opened)
        if not opened:
            reasons = "; ".join(failed.values()) or "log.dirs names none"
            raise DirectoryRefusedError("log.dirs", f"no directory can be used: {reasons}")
    except BaseException:
        LogDirectories(opened, failed).close()
        raise
    return LogDirectories(opened, failed)


def _refuse_copy(opened: list[LogDirectory]) -> None:
    """Two directories with one id: a copied disk, or the same one mounted twice."""
    *others, newest = opened
    for other in others:
        identity = newest.properties.directory_id
        if identity is not None and identity == other.properties.directory_id:
            raise DirectoryRefusedError(
                newest.path,
                f"it has the same directory.id as {other.path}; remove the copy from log.dirs",
            )
