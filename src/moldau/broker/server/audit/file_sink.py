"""Audit events in a file, one line for each; a full file is put aside under a number.

audit.log      being written
audit.log.1    the one before it, and so on up to the number that is kept
"""

from __future__ import annotations

from moldau.platform.ports.files import File, Files
from moldau.platform.ports.tasks import Tasks

__all__ = ["FileSink"]


class FileSink:
    """Appends; only its owner may read what it writes."""

    def __init__(self, files: Files, tasks: Tasks, path: str, max_bytes: int, kept: int) -> None:
        self._files = files
        self._tasks = tasks
        self._path = path
        self._max_bytes = max_bytes
        self._kept = kept
        self._file: File | None = None

    def __repr__(self) -> str:
        return f"FileSink({self._path})"

    async def write(self, lines: list[bytes]) -> None:
        await self._tasks.offload(self._append, b"".join(line + b"\n" for line in lines))

    async def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _append(self, data: bytes) -> None:
        file = self._open()
        size = file.size()
        if size and size + len(data) > self._max_bytes:
            file.close()
            self._file = None
            self._put_aside()
            file = self._open()
        file.append(data)

    def _open(self) -> File:
        if self._file is None:
            self._file = self._files.open(self._path, create=True)
            self._files.make_private(self._path)
        return self._file

    def _put_aside(self) -> None:
        for number in range(self._kept - 1, 0, -1):
            older = f"{self._path}.{number}"
            if self._files.status(older) is not None:
                self._files.rename(older, f"{self._path}.{number + 1}")
        if self._kept:
            self._files.rename(self._path, f"{self._path}.1")
        else:
            self._files.remove(self._path)
