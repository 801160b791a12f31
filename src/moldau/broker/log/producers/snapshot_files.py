"""The producer snapshots that lie in one partition's directory.

A snapshot's name is the offset that it covers up to: `00000000000000001437.snapshot` holds every
batch below 1437. One is written at each roll and at a clean stop, so usually there is one for each
segment's base offset and one for the end of the log.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Collection, Iterable

from moldau.broker.log.producers.entry import ProducerEntry
from moldau.broker.log.producers.snapshot import decode_snapshot, encode_snapshot
from moldau.broker.log.segment.file_names import (
    DELETED,
    SNAPSHOT,
    file_name,
    kind_of,
    offset_in_name,
)
from moldau.errors import CorruptRecordError
from moldau.platform.ports.files import Files, read_whole


def snapshot_name(offset: int) -> str:
    return file_name(offset, SNAPSHOT)


def snapshot_offset(name: str) -> int | None:
    """The offset in the name of a snapshot; None if it is not one."""
    is_snapshot = name.endswith(SNAPSHOT) and kind_of(name) == SNAPSHOT
    return offset_in_name(name) if is_snapshot else None


class SnapshotFiles:
    """Which snapshots there are, in order; reads, writes and removes them."""

    def __init__(self, files: Files, directory: str, names: Collection[str] | None = None) -> None:
        """A caller that has just listed the directory gives its names."""
        self._files = files
        self._directory = directory
        found = map(snapshot_offset, self._listed() if names is None else names)
        self._offsets = sorted(offset for offset in found if offset is not None)
        self.refused: list[tuple[str, str]] = []
        """Snapshots that could not be read and were removed, and why."""

    def _listed(self) -> Collection[str]:
        if self._files.status(self._directory) is None:
            return ()
        return self._files.list(self._directory)

    @property
    def offsets(self) -> tuple[int, ...]:
        return tuple(self._offsets)

    @property
    def newest(self) -> int | None:
        return self._offsets[-1] if self._offsets else None

    def path(self, offset: int) -> str:
        return f"{self._directory}/{snapshot_name(offset)}"

    def move_to(self, directory: str) -> None:
        """The partition's directory has been renamed."""
        self._directory = directory

    def read(self, offset: int) -> list[ProducerEntry]:
        path = self.path(offset)
        return decode_snapshot(read_whole(self._files, path), path)

    def read_newest(self) -> tuple[int, list[ProducerEntry]] | None:
        """The newest snapshot that can be read; corrupt ones on the way to it are removed."""
        while self._offsets:
            offset = self._offsets[-1]
            try:
                return offset, self.read(offset)
            except CorruptRecordError as error:
                self.refused.append((self.path(offset), f"is damaged ({error})"))
                self.remove(offset)
        return None

    def read_before(self, offset: int) -> tuple[int, list[ProducerEntry]] | None:
        """The newest one at or before `offset` that can be read; corrupt ones are passed over."""
        for older in reversed(self._offsets[: bisect_right(self._offsets, offset)]):
            try:
                return older, self.read(older)
            except CorruptRecordError:
                continue
        return None

    def write(self, offset: int, entries: Iterable[ProducerEntry], *, sync: bool) -> str:
        """A torn file is recognised by its checksum, so it is written under its final name."""
        path = self.path(offset)
        file = self._files.open(path, create=True)
        try:
            file.truncate(0)
            file.append(encode_snapshot(entries))
            if sync:
                file.sync()
        finally:
            file.close()
        if offset not in self._offsets:
            insort(self._offsets, offset)
        return path

    def remove(self, offset: int) -> None:
        self._files.remove(self.path(offset))
        self._offsets.remove(offset)

    def remove_before(self, offset: int) -> None:
        self._remove_all(self._offsets[: bisect_left(self._offsets, offset)])

    def remove_after(self, offset: int) -> None:
        self._remove_all(self._offsets[bisect_right(self._offsets, offset) :])

    def remove_outside(self, log_start_offset: int, log_end_offset: int) -> None:
        """Keep those above the start and not above the end of the log."""
        self.remove_before(log_start_offset + 1)
        self.remove_after(log_end_offset)

    def remove_strays(self, base_offsets: Collection[int]) -> None:
        """Keep one for each segment, and the newest if it lies above all segments."""
        last_base_offset = max(base_offsets, default=-1)
        strays = [offset for offset in self._offsets if offset not in base_offsets]
        if strays and strays[-1] > last_base_offset:
            strays.pop()
        self._remove_all(strays)

    def mark_deleted(self, offset: int) -> str | None:
        """Rename it, to be removed with its segment; the new path, or None if there is none."""
        if offset not in self._offsets:
            return None
        path = self.path(offset) + DELETED
        self._files.rename(self.path(offset), path)
        self._offsets.remove(offset)
        return path

    def _remove_all(self, offsets: list[int]) -> None:
        for offset in list(offsets):
            self.remove(offset)
