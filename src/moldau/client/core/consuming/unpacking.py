"""Records of a block as columns of Python's objects: the hot part of reading records one by one.

The scanner has found where the parts of every record lie (`records.scan`), and has checked them.
Here one loop copies them out, for the records whose offsets are wanted, into lists: the caller
zips them, for rows out of lists cost less than rows that are made one by one.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.strings import read_i64_le

from moldau.protocol.records.scan import ROW_SIZE
from moldau.protocol.records.scan_headers import Header, headers_at

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["RecordColumns"]

NO_HEADERS: Final[tuple[Header, ...]] = ()


class RecordColumns:
    """Of one batch, in the making."""

    __slots__ = ("headers", "keys", "offsets", "timestamps", "values")

    def __init__(self) -> None:
        self.offsets: list[int] = []
        self.timestamps: list[int] = []
        self.keys: list[bytes | None] = []
        self.values: list[bytes | None] = []
        self.headers: list[tuple[Header, ...]] = []

    # hot: measured by bench/clients; its objects are those that the reader gets.
    def add(
        self, block: bytes, rows: bytes, base_offset: int, base_time: int, first: i64, end: i64
    ) -> None:
        """Those whose offset deltas are from `first` up to, but without, `end`."""
        row: i64 = 0
        rows_end: i64 = len(rows)
        while row < rows_end:
            delta: int = read_i64_le(rows, row + 8)
            if first <= delta < end:
                self.offsets.append(base_offset + delta)
                delta = read_i64_le(rows, row)
                self.timestamps.append(base_time + delta)
                start: i64 = read_i64_le(rows, row + 16)
                length: i64 = read_i64_le(rows, row + 24)
                self.keys.append(None if length < 0 else block[start : start + length])
                start = read_i64_le(rows, row + 32)
                length = read_i64_le(rows, row + 40)
                self.values.append(None if length < 0 else block[start : start + length])
                start = read_i64_le(rows, row + 48)
                length = read_i64_le(rows, row + 56)
                self.headers.append(headers_at(block, start, length) if length else NO_HEADERS)
            row += ROW_SIZE
