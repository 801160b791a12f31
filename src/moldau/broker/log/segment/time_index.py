"""The `.timeindex` of a segment: up to where are all records older than a timestamp?

Entries of 12 bytes, big-endian: the largest timestamp of the segment so far (int64) and the last
offset, less the segment's base, of the batch that brought it (int32). An entry means: every record
with a larger timestamp comes after this offset. Timestamps grow strictly, so an entry is made only
where the largest one rose since; a last one is forced when the segment rolls or closes, so that
the end of the file has the segment's largest timestamp.
"""

from __future__ import annotations

from struct import Struct
from typing import ClassVar, NamedTuple

from moldau.broker.log.segment.sparse_index import SparseIndex
from moldau.errors import CorruptRecordError
from moldau.protocol.records.batch import NO_TIMESTAMP


class TimestampOffset(NamedTuple):
    """A timestamp and the last offset of the batch that has it as its largest."""

    timestamp: int
    offset: int


class TimeIndex(SparseIndex):
    """The time index of one segment."""

    ENTRY: ClassVar[Struct] = Struct(">qi")
    last: TimestampOffset
    """The last entry; no timestamp and the base offset where there is none."""

    @property
    def is_full(self) -> bool:
        """One entry is kept free for the one that is forced at the roll."""
        return self.entries >= self.max_entries - 1

    def append(self, timestamp: int, offset: int) -> None:
        """Note the largest timestamp so far, if it is larger."""
        if timestamp <= self.last.timestamp:
            return
        self._write(timestamp, offset - self.base_offset)
        self.last = TimestampOffset(timestamp, offset)

    def lookup(self, timestamp: int) -> TimestampOffset:
        """The last entry no larger than `timestamp`; the segment's beginning where none is."""
        if timestamp >= self.last.timestamp:
            return self.last
        return self._at(self._count_at_most(timestamp) - 1)

    def truncate_to(self, offset: int) -> None:
        """Drop the entries at and after `offset`."""
        self._keep(self._count_at_most(offset - 1 - self.base_offset, field=1))

    def check(self) -> None:
        """Raise `CorruptRecordError` where the last entry cannot be."""
        if self.entries and (self.last.timestamp < 0 or self.last.offset < self.base_offset):
            raise CorruptRecordError(f"{self.path}: the last entry lies before the segment")

    def _at(self, index: int) -> TimestampOffset:
        if index < 0:
            return TimestampOffset(NO_TIMESTAMP, self.base_offset)
        timestamp, relative_offset = self.entry(index)
        return TimestampOffset(timestamp, self.base_offset + relative_offset)

    def _count_entries(self) -> int:
        """A lone entry may be all zeros: a first batch with the first timestamp there is."""
        return 1 if self._file.size() == self.ENTRY.size else super()._count_entries()

    def _load_last(self) -> None:
        self.last = self._at(self.entries - 1)
