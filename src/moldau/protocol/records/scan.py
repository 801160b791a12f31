"""Where the parts of every record lie in an uncompressed block: the hot reader of batch format v2.

    record  = varint length, int8 attributes, varlong timestamp delta, varint offset delta,
              varint key length, key, varint value length, value, varint header count, headers
    header  = varint key length, key in UTF-8, varint value length, value

All varints are zig-zag; a length of -1 (any negative one, as Kafka reads it) means null, except for
header keys, which are never null. The scanner copies no payload and makes no object per record: it
fills *rows*, `ROW_SIZE` bytes each, nine little-endian int64 in the order of `Row`. Arrow columns,
iteration, validation and compaction all start from rows, and `records.pack` turns them back.

It trusts nothing. A record's length is checked against the bytes that are left, its parts must
fill it exactly, the block must end with its last record, and varints end after 5 or 10 bytes.
Work is linear in the block, memory in the number of records found, never in a number claimed.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

from librt.strings import BytesWriter, read_i64_le, write_i64_le

from moldau.errors import CorruptRecordError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mypy_extensions import i64

ROW: Final = Struct("<9q")
ROW_SIZE: Final = 72
END_SIZE: Final = 8
"""A row's last field."""
STEP_RECORDS: Final = 4096
"""Rows of one step: 288 KiB, which stay in the cache while they are used."""
NULL_LENGTH: Final = -1
"""The length of what is not there."""
RECORD_SIZE_MIN: Final = 7
"""One byte each: length, attributes, two deltas, null key, null value, no headers."""
ATTRIBUTES_SIZE: Final = 1
"""A record's attributes: a byte without a use as yet."""
HEADER_SIZE_MIN: Final = 2
"""One byte each: the length of an empty key, and a null value."""


class Row(NamedTuple):
    """Where one record's parts lie; positions count from the beginning of the block."""

    timestamp_delta: int
    offset_delta: int
    key_start: int
    key_length: int
    value_start: int
    value_length: int
    headers_start: int
    header_count: int
    end: int
    """After the headers, where the record ends and the next one begins."""


def read_rows(rows: bytes) -> Iterator[Row]:
    """The rows that `scan_records` made, one by one."""
    return map(Row._make, ROW.iter_unpack(rows))


def scan_records(block: bytes, count: int, start: int = 0) -> bytes:
    """The rows of the `count` records that fill `block` from `start` to its end."""
    _ensure_room(block, count, start)
    return _scan(block, count, start, is_last=True)


def scan_in_steps(
    block: bytes, count: int, start: int = 0, step_records: int = STEP_RECORDS
) -> Iterator[bytes]:
    """As `scan_records`, but some rows at a time; the rows of a huge block are never all there."""
    _ensure_room(block, count, start)
    while count > step_records:
        rows = _scan(block, step_records, start, is_last=False)
        yield rows
        count -= step_records
        start = read_i64_le(rows, len(rows) - END_SIZE)
    yield _scan(block, count, start, is_last=True)


def _ensure_room(block: bytes, count: int, start: int) -> None:
    if count < 0 or count * RECORD_SIZE_MIN > len(block) - start:
        raise CorruptRecordError(
            f"batch claims {count} records where only {len(block) - start} bytes are left"
        )


def _scan(block: bytes, count: i64, start: i64, is_last: bool) -> bytes:
    try:
        return _fill_rows(block, count, start, is_last)
    except IndexError:
        raise CorruptRecordError("record runs past the end of its batch") from None


# hot: 21 ns per record compiled, 1.6 µs not (bench/records.py); no object per record.
def _fill_rows(block: bytes, count: i64, start: i64, is_last: bool) -> bytes:
    rows = BytesWriter()
    size: i64 = len(block)
    position: i64 = start
    index: i64 = 0
    while index < count:
        number: i64
        number, position = read_varint(block, position)
        end: i64 = position + number
        if number < 0 or end > size:
            raise CorruptRecordError(f"record claims {number} bytes, {size - position} are left")
        number, position = read_varlong(block, position + ATTRIBUTES_SIZE)
        write_i64_le(rows, number)
        number, position = read_varint(block, position)
        write_i64_le(rows, number)
        part: i64 = 0
        while part < 2:  # the key, then the value
            number, position = read_varint(block, position)
            write_i64_le(rows, position)
            if number < 0:
                write_i64_le(rows, NULL_LENGTH)
            else:
                write_i64_le(rows, number)
                position += number
            part += 1
        number, position = read_varint(block, position)
        write_i64_le(rows, position)
        write_i64_le(rows, number)
        if number != 0:
            position = skip_headers(block, position, number, end)
        if position != end:
            raise CorruptRecordError(f"record ends {position - end} bytes off its length")
        write_i64_le(rows, position)
        index += 1
    if is_last and position != size:
        raise CorruptRecordError(f"{size - position} bytes are left over after the last record")
    return rows.getvalue()


def latest_delta(block: bytes, count: int, start: int = 0) -> int:
    """The largest timestamp delta of the `count` records that fill `block` from `start` on.

    They must lie in order. It finds the faults that `scan_records` finds, and takes a record out of
    its place for another.
    """
    _ensure_room(block, count, start)
    try:
        return _latest_delta(block, count, start)
    except IndexError:
        raise CorruptRecordError("record runs past the end of its batch") from None


# hot: for each batch of each client; without rows it takes a third of the time.
def _latest_delta(block: bytes, count: i64, position: i64) -> i64:
    size: i64 = len(block)
    latest: i64 = 0
    index: i64 = 0
    while index < count:
        number: i64
        number, position = read_varint(block, position)
        end: i64 = position + number
        if number < 0 or end > size:
            raise CorruptRecordError(f"record claims {number} bytes, {size - position} are left")
        number, position = read_varlong(block, position + ATTRIBUTES_SIZE)
        if index == 0 or number > latest:
            latest = number
        number, position = read_varint(block, position)
        if number != index:
            raise CorruptRecordError(f"record {index} has the offset of record {number}")
        position = _skip_part(block, _skip_part(block, position))
        number, position = read_varint(block, position)
        if number != 0:
            position = skip_headers(block, position, number, end)
        if position != end:
            raise CorruptRecordError(f"record ends {position - end} bytes off its length")
        index += 1
    if position != size:
        raise CorruptRecordError(f"{size - position} bytes are left over after the last record")
    return latest


def _skip_part(block: bytes, position: i64) -> i64:
    """Where a key or a value ends."""
    length: i64
    length, position = read_varint(block, position)
    return position + length if length > 0 else position


def skip_headers(block: bytes, position: i64, count: i64, end: i64) -> i64:
    """Where `count` headers from `position` end, if that can be before `end`."""
    if count < 0 or count > (end - position) // HEADER_SIZE_MIN:
        raise CorruptRecordError(f"record claims {count} headers, {end - position} bytes left")
    while count > 0:
        length: i64
        length, position = read_varint(block, position)
        if length < 0:
            raise CorruptRecordError("header without a key")
        length, position = read_varint(block, position + length)
        if length > 0:
            position += length
        count -= 1
    return position


def read_varint(block: bytes, position: i64) -> tuple[i64, i64]:
    """A zig-zag int32 at `position` and where it ends; bits beyond 32 drop out, as in Kafka."""
    byte: i64 = block[position]
    position += 1
    if byte < 128:
        return (byte >> 1) ^ -(byte & 1), position
    result = byte & 0x7F
    shift: i64 = 7
    while shift < 35:
        byte = block[position]
        position += 1
        result |= (byte & 0x7F) << shift
        if byte < 128:
            result &= 0xFFFFFFFF
            return (result >> 1) ^ -(result & 1), position
        shift += 7
    raise CorruptRecordError("varint longer than 5 bytes")


def read_varlong(block: bytes, position: i64) -> tuple[i64, i64]:
    """A zig-zag int64 at `position` and where it ends."""
    byte: i64 = block[position]
    position += 1
    if byte < 128:
        return (byte >> 1) ^ -(byte & 1), position
    low = byte & 0x7F
    shift: i64 = 7
    while shift < 63:
        byte = block[position]
        position += 1
        low |= (byte & 0x7F) << shift
        if byte < 128:
            return (low >> 1) ^ -(low & 1), position
        shift += 7
    byte = block[position]
    if byte >= 128:
        raise CorruptRecordError("varlong longer than 10 bytes")
    return ((low >> 1) | ((byte & 1) << 62)) ^ -(low & 1), position + 1
