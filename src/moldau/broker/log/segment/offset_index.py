"""The `.index` of a segment: at which byte does the batch of an offset begin?

Entries of 8 bytes, big-endian: the last offset of a batch less the segment's base (int32) and the
position of that batch in the `.log` (int32). One entry is made for the first batch after more than
`index.interval.bytes` since the last one, so a look-up gives a place at or before the batch and a
short walk over headers finds it. Both fields grow strictly.
"""

from __future__ import annotations

from struct import Struct
from typing import ClassVar, Final, NamedTuple

from moldau.broker.log.segment.sparse_index import SparseIndex
from moldau.errors import CorruptRecordError

MAX_RELATIVE_OFFSET: Final = 2**31 - 1


class OffsetPosition(NamedTuple):
    """The batch that begins at `position` ends with `offset`."""

    offset: int
    position: int


class OffsetIndex(SparseIndex):
    """The offset index of one segment."""

    ENTRY: ClassVar[Struct] = Struct(">ii")
    last: OffsetPosition
    """The last entry; base offset and position 0 where there is none."""

    @property
    def is_full(self) -> bool:
        return self.entries >= self.max_entries

    def append(self, offset: int, position: int) -> None:
        """Add an entry: where the batch that ends with `offset` begins."""
        assert self.entries == 0 or offset > self.last.offset, f"{self.path}: {offset} goes back"
        self._write(offset - self.base_offset, position)
        self.last = OffsetPosition(offset, position)

    def lookup(self, offset: int) -> OffsetPosition:
        """The last entry at or before `offset`; the segment's beginning where none is."""
        if offset >= self.last.offset:
            return self.last
        found = self._last_at_most(offset - self.base_offset)
        if found is None:
            return OffsetPosition(self.base_offset, 0)
        relative_offset, position = found
        return OffsetPosition(self.base_offset + relative_offset, position)

    def upper_bound(self, position: int) -> int | None:
        """The offset of the first entry at or after a byte; None behind the last one."""
        count = self._count_at_most(position - 1, field=1)
        return self._at(count).offset if count < self.entries else None

    def truncate_to(self, offset: int) -> None:
        """Drop the entries at and after `offset`."""
        self._keep(self._count_at_most(offset - 1 - self.base_offset))

    def check(self, log_size: int) -> None:
        """Raise `CorruptRecordError` where the last entry cannot belong to such a log."""
        if self.entries and not (self.last.offset >= self.base_offset and self.last.position > 0):
            raise CorruptRecordError(f"{self.path}: the last entry lies before the segment")
        if self.last.position and self.last.position >= log_size:
            raise CorruptRecordError(f"{self.path}: the last entry lies behind the segment's end")

    def _at(self, index: int) -> OffsetPosition:
        if index < 0:
            return OffsetPosition(self.base_offset, 0)
        relative_offset, position = self.entry(index)
        return OffsetPosition(self.base_offset + relative_offset, position)

    def _load_last(self) -> None:
        self.last = self._at(self.entries - 1)
