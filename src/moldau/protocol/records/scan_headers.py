"""Where the keys and values of headers lie: the hot reader of what `records.scan` steps over.

`headers_at` makes objects of the headers of one record. `scan_headers` makes none: it takes the
rows of records and fills rows for their headers, `HEADER_ROW_SIZE` bytes each: four
little-endian int64, in the order of `HeaderRow`, positions counted from the beginning of the
block. The rows must be the scanner's own for this block, which has checked every header.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from librt.strings import BytesWriter, read_i64_le, write_i64_le

from moldau.protocol.records.scan import NULL_LENGTH, ROW_SIZE, read_varint

if TYPE_CHECKING:
    from mypy_extensions import i64

HEADER_ROW_SIZE: Final = 32
_HEADERS_START: Final = 48
_HEADER_COUNT: Final = 56


class HeaderRow(NamedTuple):
    """Where one header's parts lie."""

    key_start: int
    key_length: int
    value_start: int
    value_length: int
    """-1 where the value is null."""


class Header(NamedTuple):
    """A record's header; keys may repeat."""

    key: str
    value: bytes | None


# hot: measured in bench/arrow.py; no object per header.
def scan_headers(block: bytes, rows: bytes) -> bytes:
    """The rows of all headers of the records that `rows` describe, in their order."""
    header_rows = BytesWriter()
    rows_end: i64 = len(rows)
    row: i64 = 0
    while row < rows_end:
        position: i64 = read_i64_le(rows, row + _HEADERS_START)
        count: i64 = read_i64_le(rows, row + _HEADER_COUNT)
        while count > 0:
            length: i64
            length, position = read_varint(block, position)
            write_i64_le(header_rows, position)
            write_i64_le(header_rows, length)
            length, position = read_varint(block, position + length)
            write_i64_le(header_rows, position)
            if length < 0:
                write_i64_le(header_rows, NULL_LENGTH)
            else:
                write_i64_le(header_rows, length)
                position += length
            count -= 1
        row += ROW_SIZE
    return header_rows.getvalue()


def headers_at(block: bytes, position: i64, count: i64) -> tuple[Header, ...]:
    """The `count` headers at `position`, which the scanner has found sound, as objects.

    Keys that are no UTF-8 come with U+FFFD in place of what is wrong, as in the Java client.
    """
    headers: list[Header] = []
    while count > 0:
        length: i64
        length, position = read_varint(block, position)
        key = block[position : position + length].decode(errors="replace")
        length, position = read_varint(block, position + length)
        if length < 0:
            headers.append(Header(key, None))
        else:
            headers.append(Header(key, block[position : position + length]))
            position += length
        count -= 1
    return tuple(headers)
