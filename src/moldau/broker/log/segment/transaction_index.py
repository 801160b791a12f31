"""The aborted transactions of one segment: `.txnindex`.

A read_committed reader gets the aborted transactions that overlap what it gets
(KIP-98). When an ABORT marker is appended, the segment that holds the marker notes

    0  version = 0 (int16)   10  first offset    26  last stable offset just after
    2  producer id           18  last offset (the marker's)

in 34 bytes. Last offsets ascend strictly within a file, and stable offsets never fall, so a look-up
starts by halving and ends at the first entry whose stable offset reaches the upper bound: later
transactions began at or after it. Otherwise the search goes on in the next segment.

Most segments have no such file: it is created by the first entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import Final, NamedTuple

from moldau.errors import CorruptRecordError
from moldau.platform.ports.files import File, Files

VERSION: Final = 0
_ENTRY: Final = Struct(">hqqqq")
ENTRY_SIZE: Final = _ENTRY.size
_ENTRIES_PER_READ: Final = 512
"""17 KiB at a time: few look-ups need more, and none reads a large index whole into memory."""


class AbortedTransaction(NamedTuple):
    """One entry of the index."""

    producer_id: int
    first_offset: int
    last_offset: int
    last_stable_offset: int

    def pack(self) -> bytes:
        return _ENTRY.pack(VERSION, *self)


class TransactionIndex:
    """The entries of one segment; opening it touches nothing until there is something to read."""

    def __init__(self, files: Files, path: str) -> None:
        self._files = files
        self._path = path
        self._file: File | None = None
        if files.status(path) is not None:
            self._file = files.open(path)
        self._count = self._file.size() // ENTRY_SIZE if self._file is not None else 0

    def __repr__(self) -> str:
        return f"TransactionIndex({self._path}, {self._count} entries)"

    def __len__(self) -> int:
        return self._count

    @property
    def path(self) -> str:
        return self._path

    @property
    def last_offset(self) -> int:
        """Where the last entry's transaction ends; -1 where there is none."""
        return self._entry(self._count - 1).last_offset if self._count else -1

    def append(self, aborted: AbortedTransaction) -> None:
        """Add an entry; markers come in log order, so its last offset is the largest yet."""
        last_offset = self.last_offset
        assert last_offset < aborted.last_offset, f"{self._path}: {aborted} after {last_offset}"
        if self._file is None:
            self._file = self._files.open(self._path, create=True)
        self._file.append(aborted.pack())
        self._count += 1

    def entries(self, start: int = 0) -> Iterator[AbortedTransaction]:
        """All entries from the one in place `start`."""
        while start < self._count:
            block = self._read(start, min(_ENTRIES_PER_READ, self._count - start))
            for version, *fields in _ENTRY.iter_unpack(block):
                self._check_version(version)
                yield AbortedTransaction._make(fields)
            start += _ENTRIES_PER_READ

    def collect(self, fetch_offset: int, upper_bound: int) -> tuple[list[AbortedTransaction], bool]:
        """What overlaps [fetch offset, upper bound), and whether later segments can be left out."""
        found: list[AbortedTransaction] = []
        for aborted in self.entries(self._first_ending_at(fetch_offset)):
            if aborted.first_offset < upper_bound:
                found.append(aborted)
            if aborted.last_stable_offset >= upper_bound:
                return found, True
        return found, False

    def truncate_to(self, offset: int) -> None:
        """Drop the transactions whose marker lies at or after `offset`."""
        keep = self._first_ending_at(offset)
        if self._file is None or keep == self._count:
            return
        self._file.truncate(keep * ENTRY_SIZE)
        self._count = keep

    def truncate(self) -> None:
        """Drop everything."""
        if self._file is not None:
            self._file.truncate(0)
        self._count = 0

    def sanity_check(self, start_offset: int) -> None:
        """Raise `CorruptRecordError` unless the entries fit a segment that starts there."""
        if self._file is not None and self._file.size() % ENTRY_SIZE:
            raise self._corrupt(
                f"{self._file.size()} bytes are not whole {ENTRY_SIZE}-byte entries"
            )
        previous = AbortedTransaction(0, 0, start_offset - 1, 0)
        for aborted in self.entries():
            if not previous.last_offset < aborted.last_offset >= aborted.first_offset >= 0:
                raise self._corrupt(f"{aborted} cannot follow {previous}")
            previous = aborted

    def sync(self) -> None:
        if self._file is not None:
            self._file.sync()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def delete(self) -> None:
        self.close()
        self._files.remove(self._path)

    def _first_ending_at(self, offset: int) -> int:
        """The place of the first entry whose last offset is not below `offset`."""
        if self.last_offset < offset:
            return self._count
        low, high = 0, self._count - 1
        while low < high:
            middle = (low + high) // 2
            if self._entry(middle).last_offset < offset:
                low = middle + 1
            else:
                high = middle
        return low

    def _entry(self, index: int) -> AbortedTransaction:
        version, *fields = _ENTRY.unpack(self._read(index, 1))
        self._check_version(version)
        return AbortedTransaction._make(fields)

    def _read(self, index: int, count: int) -> bytes:
        assert self._file is not None
        block = self._file.read_at(index * ENTRY_SIZE, count * ENTRY_SIZE)
        if len(block) != count * ENTRY_SIZE:
            raise self._corrupt(f"entry {index} is cut off")
        return block

    def _check_version(self, version: int) -> None:
        if version != VERSION:
            raise self._corrupt(f"version {version} where {VERSION} was expected")

    def _corrupt(self, reason: str) -> CorruptRecordError:
        return CorruptRecordError(f"{self._path}: {reason}; recovery rebuilds the index")
