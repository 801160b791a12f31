"""What the two sparse indexes of a segment share: sorted entries of one size in a small file.

While its segment is the active one the file is preallocated to its largest size, so that entries
are small writes and never a change of size; the room behind the last entry is zeros. A roll or a
close trims it. New entries wait in memory, where look-ups find them, until there are enough for
one write, or until the file is synced, trimmed or closed. No entry of an offset index is all
zeros (the first one comes after at least one batch), and of a time index only the first can be, so
the end is found by looking for zeros backwards.

An index holds nothing that the log itself does not hold: it may be lost, and where it contradicts
the log it is rebuilt. It is therefore never synced for safety's sake alone.
"""

from __future__ import annotations

from struct import Struct
from typing import ClassVar, Final

from librt.strings import read_i32_be, read_i64_be

from moldau.errors import CorruptRecordError
from moldau.platform.ports.files import File

SECOND_BYTES: Final = 4
"""Of the second field; the first one takes what is left of an entry."""
PAGE_ENTRIES: Final = 512
"""Entries that a look-up reads at once; consumers near the end find theirs with one read."""
WAITING_ENTRIES_MAX: Final = 64
"""As many as wait for one write. After a crash they are made anew, with all of a segment's."""
_ZEROS_CHUNK: Final = 64 * 1024
_ZEROS: Final = bytes(_ZEROS_CHUNK)


class SparseIndex:
    """Entries that grow in their first field, in a file that may end in filler."""

    ENTRY: ClassVar[Struct]

    def __init__(self, file: File, base_offset: int, max_bytes: int) -> None:
        self._file = file
        self.base_offset = base_offset
        self._waiting = bytearray()
        """The last entries, as they will lie in the file."""
        self.entries = self._count_entries()
        self.max_entries = max(max_bytes // self.ENTRY.size, self.entries + 1)
        """Never below what an earlier, larger setting left, and the entry that a roll forces."""
        self._load_last()

    @property
    def path(self) -> str:
        return self._file.path

    @property
    def size(self) -> int:
        """Bytes that entries take."""
        return self.entries * self.ENTRY.size

    def preallocate(self) -> None:
        """Make room for every entry that may come, as the index of an active segment has it."""
        self._file.truncate(self.max_entries * self.ENTRY.size)

    def trim(self) -> None:
        """Give the unused room back."""
        self.write_waiting()
        self._file.truncate(self.size)

    def clear(self) -> None:
        """Forget every entry."""
        self._keep(0)

    def write_waiting(self) -> None:
        """Have all entries in the file."""
        if self._waiting:
            self._file.write_at(self.size - len(self._waiting), self._waiting)
            self._waiting = bytearray()

    def sync(self) -> None:
        self.write_waiting()
        self._file.sync()

    def close(self) -> None:
        try:
            self.write_waiting()
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Close the file without what waits for it: it will not be looked up."""
        self._waiting = bytearray()
        self._file.close()

    def entry(self, index: int) -> tuple[int, int]:
        """The fields of one entry, as they lie in the file."""
        first, second = self.ENTRY.unpack(self._page(index, index + 1))
        return first, second

    def raw_entries(self) -> list[tuple[int, int]]:
        """The fields of all entries, for tools and tests."""
        return [
            (first, second) for first, second in self.ENTRY.iter_unpack(self._page(0, self.entries))
        ]

    def _count_at_most(self, value: int, field: int = 0) -> int:
        """How many entries have no more than `value` in a field that never falls."""
        return self._search(value, field)[0]

    def _last_at_most(self, value: int) -> tuple[int, int] | None:
        """The last entry that has no more than `value` in its first field."""
        # hot: once for each partition of a fetch; the entry lies in the page that was searched.
        count, low, page = self._search(value, 0)
        if count > low:
            first, second = self.ENTRY.unpack_from(page, (count - low - 1) * self.ENTRY.size)
            return first, second
        return self.entry(count - 1) if count else None

    def _search(self, value: int, field: int) -> tuple[int, int, bytes]:
        """How many there are, and the page with the last, from its first entry's index on."""
        low, high = 0, self.entries
        tail = max(0, high - PAGE_ENTRIES)
        if tail and self.entry(tail)[field] <= value:
            low = tail
        while high - low > PAGE_ENTRIES:
            middle = (low + high) // 2
            if self.entry(middle)[field] <= value:
                low = middle
            else:
                high = middle
        page = self._page(low, high)
        return low + _rank(page, high - low, self.ENTRY.size, field, value), low, page

    def _page(self, start: int, end: int) -> bytes:
        size = self.ENTRY.size
        first, last, written = start * size, end * size, self.size - len(self._waiting)
        page = self._file.read_at(first, min(last, written) - first) if first < written else b""
        if last > written:
            page += self._waiting[max(first - written, 0) : last - written]
        if len(page) != last - first:
            raise CorruptRecordError(f"{self.path}: the index ends before its last entry")
        return page

    # hot: for every 4 KiB of a log; two writes for each batch were a tenth of its way to the disk.
    def _write(self, first: int, second: int) -> None:
        assert self.entries < self.max_entries, f"{self.path} is full; its segment must roll"
        self._waiting += self.ENTRY.pack(first, second)
        self.entries += 1
        if len(self._waiting) >= WAITING_ENTRIES_MAX * self.ENTRY.size:
            self.write_waiting()

    def _keep(self, entries: int) -> None:
        """Drop all entries after the first so many, and turn their room into zeros."""
        self.write_waiting()
        allocated = self._file.size()
        self._file.truncate(entries * self.ENTRY.size)
        self._file.truncate(allocated)
        self.entries = entries
        self._load_last()

    def _load_last(self) -> None:
        """Take the last entry to memory; the subclass interprets it."""
        raise NotImplementedError

    def _count_entries(self) -> int:
        size = self._file.size()
        if size % self.ENTRY.size:
            raise CorruptRecordError(
                f"{self.path}: {size} bytes are no whole number of {self.ENTRY.size}-byte entries"
            )
        return -(-self._used_bytes(size) // self.ENTRY.size)

    def _used_bytes(self, size: int) -> int:
        """Where the zeros at the end of the file begin."""
        while size:
            start = max(0, size - _ZEROS_CHUNK)
            chunk = self._file.read_at(start, size - start)
            if chunk != _ZEROS[: len(chunk)]:
                return start + len(chunk.rstrip(b"\0"))
            size = start
        return 0


def _rank(page: bytes, count: int, size: int, field: int, value: int) -> int:
    """How many of these entries have no more than `value` in that field."""
    # hot: once for each partition of a fetch; with `bisect` and `unpack_from` it takes 8 times as
    # long.
    at = size - SECOND_BYTES if field else 0
    is_long = not field and size > 2 * SECOND_BYTES
    low = 0
    while low < count:
        middle = (low + count) // 2
        place = middle * size + at
        found = read_i64_be(page, place) if is_long else read_i32_be(page, place)
        if found <= value:
            low = middle + 1
        else:
            count = middle
    return low
