"""The snapshots of the metadata log, as files in its directory (KIP-630).

    00000000000000000120-0000000003.checkpoint             holds all below offset 120
    00000000000000000120-0000000003-<n>.checkpoint.part    is being written, or fetched

A snapshot has its name only when all of it is on the disk, so a file with that name is whole. What
a crash left half written is removed when the directory is opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count

from moldau.broker.quorum.log_view import SnapshotId
from moldau.platform.buffers import Buffer
from moldau.platform.ports.files import Files

SUFFIX = ".checkpoint"
PART = ".checkpoint.part"
DELETED = ".checkpoint.deleted"
_NAME = re.compile(r"(\d{20})-(\d{10})\.checkpoint")


def snapshot_id_of(name: str) -> SnapshotId | None:
    """The snapshot that has this file name; None if it is none's."""
    match = _NAME.fullmatch(name)
    return None if match is None else SnapshotId(int(match[1]), int(match[2]))


class SnapshotStore:
    """The snapshots in one directory, oldest first."""

    def __init__(self, files: Files, directory: str) -> None:
        self._files = files
        self._directory = directory
        self._numbers = count()
        self.ids: list[SnapshotId] = []
        for name in files.list(directory):
            found = snapshot_id_of(name)
            if found is not None:
                self.ids.append(found)
            elif name.endswith((PART, DELETED)):
                files.remove(f"{directory}/{name}")
        self.ids.sort()

    @property
    def earliest(self) -> SnapshotId | None:
        return self.ids[0] if self.ids else None

    @property
    def latest(self) -> SnapshotId | None:
        return self.ids[-1] if self.ids else None

    def path(self, snapshot: SnapshotId) -> str:
        return f"{self._directory}/{snapshot}{SUFFIX}"

    def size(self, snapshot: SnapshotId) -> int:
        status = self._files.status(self.path(snapshot))
        return 0 if status is None else status.size

    def total_size(self) -> int:
        return sum(self.size(snapshot) for snapshot in self.ids)

    def read(self, snapshot: SnapshotId, position: int = 0, size: int | None = None) -> bytes:
        """All of it, or a piece."""
        file = self._files.open(self.path(snapshot), read_only=True)
        try:
            return file.read_at(position, file.size() - position if size is None else size)
        finally:
            file.close()

    def write(self, snapshot: SnapshotId, contents: Iterable[Buffer]) -> None:
        """Put it on the disk, whole or not at all; may run beside the loop."""
        part = self.begin(snapshot)
        try:
            for piece in contents:
                part.append(piece)
        except BaseException:
            part.discard()
            raise
        part.seal()

    def begin(self, snapshot: SnapshotId) -> SnapshotPart:
        """An empty part for a snapshot that comes piece by piece.

        Each has a file of its own: after a change of leaders the same snapshot can be fetched again
        before the first try has ended.
        """
        path = f"{self._directory}/{snapshot}-{next(self._numbers)}{PART}"
        return SnapshotPart(self._files, path, self.path(snapshot))

    def add(self, snapshot: SnapshotId) -> None:
        """It has been written."""
        if snapshot not in self.ids:
            self.ids.append(snapshot)
            self.ids.sort()

    def remove_before(self, snapshot: SnapshotId) -> None:
        """Forget the snapshots that are older than this one."""
        for old in [one for one in self.ids if one < snapshot]:
            self.ids.remove(old)
            self._files.rename(self.path(old), f"{self._directory}/{old}{DELETED}")
            self._files.remove(f"{self._directory}/{old}{DELETED}")


class SnapshotPart:
    """A snapshot that is not whole yet, in a file of its own."""

    def __init__(self, files: Files, path: str, final_path: str) -> None:
        self._files = files
        self._path, self._final_path = path, final_path
        self._file = files.open(path, create=True)
        self.append = self._file.append

    def seal(self) -> None:
        """It is complete: sync it, and give it the name of the snapshot."""
        try:
            self._file.sync()
        finally:
            self._file.close()
        self._files.rename(self._path, self._final_path)
        self._files.sync_directory(self._path.rpartition("/")[0])

    def discard(self) -> None:
        """The rest of it does not come."""
        self._file.close()
        self._files.remove(self._path)
