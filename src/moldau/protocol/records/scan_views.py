"""Records of a block straight into the layout of Arrow's columns: the hot reader of many records.

What `records.scan` finds as rows, later steps turn into columns, each step over all records. Here
one loop does both, for records that are plain: sound, without headers, their offsets and times far
from the ends of 64 bits. It writes, little-endian,

    keys, values    16 bytes each, a view (below)       offsets       int64
    nulls           a byte: `NULL_KEY`, `NULL_VALUE`    timestamps    int64

    view up to 12 bytes    int32 length, the bytes themselves, zeros
         longer            int32 length, the first 4 bytes, int32 source, int32 position in it
         null              zeros

Anything that is not plain is not judged here: `scan_plain` returns `NOT_PLAIN`, and the scanner,
which has the rules, reads the block again. So this module refuses nothing and explains nothing.

This module is compiled with mypyc where a compiler is there. Where there is none it runs as it is,
but NumPy is faster then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.strings import BytesWriter, read_i64_le, write_i64_le

from moldau.errors import CorruptRecordError
from moldau.protocol.records.scan import ATTRIBUTES_SIZE, read_varint, read_varlong

if TYPE_CHECKING:
    from mypy_extensions import i64

NOT_PLAIN: Final = -1
NULL_KEY: Final = 1
NULL_VALUE: Final = 2
PLAIN_MAX: Final = 1 << 62
"""Bases and deltas below it cannot reach beyond 64 bits when they are added."""
INLINE_SIZE: Final = 12
PREFIX_SIZE: Final = 4
NO_HEADERS: Final = 0
LARGEST: Final = 0x7FFFFFFFFFFFFFFF


class PlainColumns:
    """The columns in the making, for some records of one or several blocks."""

    def __init__(self) -> None:
        self.keys = BytesWriter()
        self.values = BytesWriter()
        self.nulls = BytesWriter()
        self.offsets = BytesWriter()
        self.timestamps = BytesWriter()


class Place:
    """Where a block lies, and what its batch's header has about all of its records."""

    def __init__(
        self, data: bytes, end: int, source: int, base: int, base_offset: int, base_timestamp: int
    ) -> None:
        self.data = data
        self.end: i64 = end
        self.source: i64 = source
        self.base: i64 = base
        """What to add to a position in `data` for the position in the source."""
        self.base_offset: i64 = base_offset
        self.base_timestamp: i64 = base_timestamp


def scan_plain(
    columns: PlainColumns, place: Place, count: i64, start: i64, has_own_times: bool
) -> int:
    """Append `count` records from `start` on; where they end, or `NOT_PLAIN`."""
    try:
        return _fill(columns, place, count, start, has_own_times)
    except (IndexError, CorruptRecordError):
        return NOT_PLAIN


# hot: 29 ns per record compiled (bench/records.py), no object for any.
def _fill(columns: PlainColumns, place: Place, count: i64, start: i64, has_own_times: bool) -> i64:
    data = place.data
    keys, values, nulls = columns.keys, columns.values, columns.nulls
    offsets, timestamps = columns.offsets, columns.timestamps
    block_end: i64 = place.end
    source: i64 = place.source
    base: i64 = place.base
    base_offset: i64 = place.base_offset
    base_timestamp: i64 = place.base_timestamp
    position: i64 = start
    index: i64 = 0
    while index < count:
        number: i64
        number, position = _varint(data, position)
        end: i64 = position + number
        if number < 0 or end > block_end:
            return NOT_PLAIN
        number, position = _varlong(data, position + ATTRIBUTES_SIZE)
        if not -PLAIN_MAX < number < PLAIN_MAX:
            return NOT_PLAIN
        write_i64_le(timestamps, base_timestamp + number if has_own_times else base_timestamp)
        number, position = _varint(data, position)
        write_i64_le(offsets, base_offset + number)
        null: int = 0
        number, position = _varint(data, position)
        if number < 0:
            null = NULL_KEY
        position = _write_view(keys, data, position, number, source, base)
        number, position = _varint(data, position)
        if number < 0:
            null |= NULL_VALUE
        position = _write_view(values, data, position, number, source, base)
        nulls.append(null)
        if data[position] != NO_HEADERS or position + 1 != end:
            return NOT_PLAIN
        position = end
        index += 1
    return position


def _varint(data: bytes, position: i64) -> tuple[i64, i64]:
    """As `read_varint`, which mypyc cannot call from here without making objects."""
    first: i64 = data[position]
    if first < 128:
        return (first >> 1) ^ -(first & 1), position + 1
    second: i64 = data[position + 1]
    if second < 128:
        first = (first & 0x7F) | (second << 7)
        return (first >> 1) ^ -(first & 1), position + 2
    return read_varint(data, position)


def _varlong(data: bytes, position: i64) -> tuple[i64, i64]:
    """As `read_varlong`; most deltas are short."""
    if data[position] < 128 or data[position + 1] < 128:
        return _varint(data, position)
    return read_varlong(data, position)


def _write_view(
    views: BytesWriter, data: bytes, start: i64, length: i64, source: i64, base: i64
) -> i64:
    """Append the view of a part; where that ends."""
    if length <= 0:
        write_i64_le(views, 0)
        write_i64_le(views, 0)
        return start
    if length <= INLINE_SIZE:
        _write_inline(views, data, start, length)
    else:
        prefix: i64 = read_i64_le(data, start) & 0xFFFFFFFF
        write_i64_le(views, _high(prefix) | length)
        write_i64_le(views, source | ((base + start) << 32))
    return start + length


def _write_inline(views: BytesWriter, data: bytes, start: i64, length: i64) -> None:
    size: i64 = 0
    first: i64 = 0
    while size < length and size < PREFIX_SIZE:
        byte: i64 = data[start + size]
        first |= byte << (size << 3)
        size += 1
    write_i64_le(views, _high(first) | length)
    rest: i64 = 0
    if length > PREFIX_SIZE:  # as the upper bytes of eight, since behind them the data may end
        unused: i64 = INLINE_SIZE - length
        rest = read_i64_le(data, start + length - 8) >> (unused << 3)
        rest &= _low_octets(8 - unused)
    write_i64_le(views, rest)


def _low_octets(size: i64) -> i64:
    """A mask; for all eight octets every bit."""
    # Not 1 shifted up: mypyc takes that 1 for an int of C, which has 32 bits.
    return -1 if size == 8 else LARGEST >> (63 - (size << 3))


def _high(word: i64) -> i64:
    """Thirty-two bits as the upper half of a signed 64."""
    return ((word ^ 0x80000000) - 0x80000000) << 32
