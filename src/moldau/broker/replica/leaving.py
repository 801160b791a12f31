"""Files that have left and wait to be removed: segments under `.deleted`, directories of topics.

Readers may hold slices of them for a while (`file.delete.delay.ms`). What is left over when the
node stops goes with its next start.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from moldau.broker.log.directory.directory import LogDirectory
from moldau.broker.log.partition_log import PartitionLog
from moldau.errors import StorageError
from moldau.platform.ports.files import Files
from moldau.platform.ports.tasks import Tasks


class Removable(Protocol):
    """Something that can be removed for good; blocks."""

    def remove(self) -> None: ...


class RemovedLog(NamedTuple):
    """A partition's directory that has got its `-delete` name."""

    files: Files
    path: str
    log: PartitionLog

    def remove(self) -> None:
        """Close the files, which readers may have held until now, and remove all."""
        for segment in self.log.segments:
            segment.abandon()
        self.files.remove_tree(self.path)


class _Leaving(NamedTuple):
    due_ms: int
    directory: LogDirectory
    what: Removable


class LeavingFiles:
    """All that waits to be removed."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._waiting: list[_Leaving] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, directory: LogDirectory, what: Removable, due_ms: int) -> None:
        self._waiting.append(_Leaving(due_ms, directory, what))

    async def remove_due(self, now_ms: int) -> None:
        """Remove those whose time has come; a directory that fails goes offline."""
        due = [one for one in self._waiting if one.due_ms <= now_ms]
        if not due:
            return
        self._waiting = [one for one in self._waiting if one.due_ms > now_ms]
        for one in due:
            if one.directory.is_online:
                try:
                    await self._tasks.offload(one.what.remove)
                except StorageError as error:
                    one.directory.take_offline(str(error))
