"""The offset and the time index of one segment, opened when they are first asked for.

`FileMissingError` or `CorruptRecordError` means that an index has to be rebuilt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from moldau.broker.log.segment.file_names import OFFSET_INDEX, TIME_INDEX
from moldau.broker.log.segment.offset_index import OffsetIndex
from moldau.broker.log.segment.time_index import TimeIndex
from moldau.errors import CorruptRecordError, FileMissingError
from moldau.platform.ports.files import File, Files


class SegmentIndexes:
    """Both indexes; `path_of` is where the file of a kind lies."""

    def __init__(
        self, files: Files, path_of: Callable[[str], str], base_offset: int, max_bytes: int
    ) -> None:
        self._files = files
        self._path_of = path_of
        self._base_offset = base_offset
        self._max_bytes = max_bytes
        self.offset: OffsetIndex | None = None
        self.time: TimeIndex | None = None
        self.refused: list[tuple[str, str]] = []
        """Files that could not be used as they were, and why."""

    def open_offset(self, log_size: int) -> OffsetIndex:
        file = self._opened(OFFSET_INDEX)
        with self._closed_on_refusal(file):
            index = OffsetIndex(file, self._base_offset, self._max_bytes)
            index.check(log_size)
        self.offset = index
        return index

    def open_time(self) -> TimeIndex:
        file = self._opened(TIME_INDEX)
        with self._closed_on_refusal(file):
            index = TimeIndex(file, self._base_offset, self._max_bytes)
            index.check()
        self.time = index
        return index

    def start_empty(self) -> tuple[OffsetIndex, TimeIndex]:
        """Replace whatever is there by indexes without an entry."""
        self.close()
        offset_file, time_file = self._blank(OFFSET_INDEX), self._blank(TIME_INDEX)
        self.offset = OffsetIndex(offset_file, self._base_offset, self._max_bytes)
        self.time = TimeIndex(time_file, self._base_offset, self._max_bytes)
        return self.offset, self.time

    def _blank(self, kind: str) -> File:
        file = self._files.open_seldom(self._path_of(kind), create=True)
        file.truncate(0)
        return file

    @property
    def are_full(self) -> bool:
        """Whether the next entry of one of them might not fit."""
        assert self.offset is not None
        assert self.time is not None
        return self.offset.is_full or self.time.is_full

    def sync(self) -> None:
        for index in self._made():
            index.sync()

    def close(self) -> None:
        for index in self._made():
            index.close()
        self.offset = self.time = None

    def abandon(self) -> None:
        """Close both without writing what waits: their files may have another name by now."""
        for index in self._made():
            index.abandon()
        self.offset = self.time = None

    def _made(self) -> list[OffsetIndex | TimeIndex]:
        return [index for index in (self.offset, self.time) if index is not None]

    def refuse(self, kind: str, reason: str) -> None:
        """Note that this file is wrong; the caller has both made anew."""
        self.refused.append((self._path_of(kind), reason))

    def _opened(self, kind: str) -> File:
        try:
            return self._files.open_seldom(self._path_of(kind))
        except FileMissingError:
            self.refuse(kind, "is missing")
            raise

    @contextmanager
    def _closed_on_refusal(self, file: File) -> Iterator[None]:
        try:
            yield
        except CorruptRecordError as error:
            file.close()
            self.refused.append((file.path, f"is damaged ({error})"))
            raise
