"""Records into an uncompressed block: the hot writer of batch format v2, `records.scan` backwards.

Three ways in. `pack_record` appends one record made of Python objects, for the builder.
`pack_rows` writes as many records as there are rows (`records.scan.Row`), whose parts it copies
out of three buffers, for compaction: what `scan_records` found in a block becomes that block
again, bit for bit if its writer made its varints as short as they can be. `pack_columns` writes
records without headers out of columns as Arrow lays them out.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from librt.strings import (
    BytesWriter,
    read_i32_le,
    read_i64_le,
    write_i32_le,
    write_i64_le,
)

from moldau.protocol.records.scan import NULL_LENGTH, ROW_SIZE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mypy_extensions import i64

    Headers: TypeAlias = Sequence[tuple[str, bytes | None]]

FIXED_SIZE: Final = 1
"""Bytes of a record that never vary: its attributes."""
SLICE_SIZE: Final = 512
"""From here on, a slice to copy costs less than to copy word by word."""


class Part:
    """A column of keys or of values."""

    def __init__(self, data: bytes, base: int, offsets: bytes, lengths: bytes) -> None:
        self.data = data
        self.base: i64 = base
        """What the offset of the first byte of `data` is."""
        self.offsets = offsets
        """Where each begins: int64, little-endian."""
        self.lengths = lengths
        """How long each is, likewise; negative is null."""


def pack_record(
    block: BytesWriter,
    timestamp_delta: i64,
    offset_delta: i64,
    key: bytes | None,
    value: bytes | None,
    headers: Headers = (),
) -> None:
    """Append one record to `block`."""
    packed = pack_headers(headers)
    key_length: i64 = NULL_LENGTH if key is None else len(key)
    value_length: i64 = NULL_LENGTH if value is None else len(value)
    write_varint(
        block,
        FIXED_SIZE
        + varint_size(timestamp_delta)
        + varint_size(offset_delta)
        + part_size(key_length)
        + part_size(value_length)
        + len(packed),
    )
    block.append(0)
    write_varint(block, timestamp_delta)
    write_varint(block, offset_delta)
    write_varint(block, key_length)
    if key is not None:
        block.write(key)
    write_varint(block, value_length)
    if value is not None:
        block.write(value)
    block.write(packed)


def record_size(
    timestamp_delta: i64,
    offset_delta: i64,
    key: bytes | None,
    value: bytes | None,
    headers: Headers = (),
) -> int:
    """Bytes that `pack_record` would append."""
    body: i64 = (
        FIXED_SIZE
        + varint_size(timestamp_delta)
        + varint_size(offset_delta)
        + part_size(NULL_LENGTH if key is None else len(key))
        + part_size(NULL_LENGTH if value is None else len(value))
        + len(pack_headers(headers))
    )
    return varint_size(body) + body


def pack_headers(headers: Headers) -> bytes:
    """The count of the headers, and the headers."""
    if not headers:
        return b"\x00"
    block = BytesWriter()
    write_varint(block, len(headers))
    for key, value in headers:
        name = key.encode()
        write_varint(block, len(name))
        block.write(name)
        if value is None:
            write_varint(block, NULL_LENGTH)
        else:
            write_varint(block, len(value))
            block.write(value)
    return block.getvalue()


# hot: measured in bench/records.py; no object per record but the slices that are copied.
def pack_rows(rows: bytes, keys: bytes, values: bytes, headers: bytes) -> bytes:
    """The records that `rows` describe, with parts from the three buffers, one after another.

    A row's headers reach from `headers_start` to `end` in `headers`, encoded, without their count.
    """
    block = BytesWriter()
    row: i64 = 0
    rows_end: i64 = len(rows)
    assert rows_end % ROW_SIZE == 0, "rows are whole"
    while row < rows_end:
        timestamp_delta: i64 = read_i64_le(rows, row)
        offset_delta: i64 = read_i64_le(rows, row + 8)
        key_start: i64 = read_i64_le(rows, row + 16)
        key_length: i64 = read_i64_le(rows, row + 24)
        value_start: i64 = read_i64_le(rows, row + 32)
        value_length: i64 = read_i64_le(rows, row + 40)
        headers_start: i64 = read_i64_le(rows, row + 48)
        header_count: i64 = read_i64_le(rows, row + 56)
        end: i64 = read_i64_le(rows, row + 64)
        write_varint(
            block,
            FIXED_SIZE
            + varint_size(timestamp_delta)
            + varint_size(offset_delta)
            + part_size(key_length)
            + part_size(value_length)
            + varint_size(header_count)
            + (end - headers_start),
        )
        block.append(0)
        write_varint(block, timestamp_delta)
        write_varint(block, offset_delta)
        write_varint(block, key_length)
        if key_length > 0:
            block.write(keys[key_start : key_start + key_length])
        write_varint(block, value_length)
        if value_length > 0:
            block.write(values[value_start : value_start + value_length])
        write_varint(block, header_count)
        if header_count > 0:
            block.write(headers[headers_start:end])
        row += ROW_SIZE
    return block.getvalue()


# hot: 51 ns per record of 100 bytes compiled; no object per record, unless its parts are long.
def pack_columns(timestamps: bytes, keys: Part, values: Part) -> bytes:
    """Records without headers, one after another; the first one's timestamp is the batch's."""
    block = BytesWriter()
    base_timestamp: i64 = read_i64_le(timestamps, 0)
    position: i64 = 0
    index: i64 = 0
    positions_end: i64 = len(timestamps)
    while position < positions_end:
        timestamp_delta: i64 = read_i64_le(timestamps, position) - base_timestamp
        key_length: i64 = read_i64_le(keys.lengths, position)
        value_length: i64 = read_i64_le(values.lengths, position)
        write_varint(
            block,
            FIXED_SIZE
            + varint_size(timestamp_delta)
            + varint_size(index)
            + part_size(key_length)
            + part_size(value_length)
            + 1,
        )
        block.append(0)
        write_varint(block, timestamp_delta)
        write_varint(block, index)
        write_varint(block, key_length)
        _copy(block, keys.data, read_i64_le(keys.offsets, position) - keys.base, key_length)
        write_varint(block, value_length)
        _copy(block, values.data, read_i64_le(values.offsets, position) - values.base, value_length)
        block.append(0)
        position += 8
        index += 1
    return block.getvalue()


def _copy(block: BytesWriter, data: bytes, start: i64, length: i64) -> None:
    """Word by word, where a slice would cost more; nothing, where the length is that of null."""
    end: i64 = start + length
    if length >= SLICE_SIZE:
        block.write(data[start:end])
        return
    while end - start >= 8:
        write_i64_le(block, read_i64_le(data, start))
        start += 8
    if end - start >= 4:
        write_i32_le(block, read_i32_le(data, start))
        start += 4
    while start < end:
        block.append(data[start])
        start += 1


def part_size(length: i64) -> i64:
    """Bytes of a key or value with its length before it; a negative length is null."""
    return varint_size(length) + length if length > 0 else 1


def varint_size(number: i64) -> i64:
    """Bytes of `number` as a zig-zag varint."""
    rest: i64 = (number << 1) ^ (number >> 63)
    if 0 <= rest < 128:
        return 1
    rest = (rest >> 7) & 0x1FFFFFFFFFFFFFF
    size: i64 = 1
    while rest:
        rest >>= 7
        size += 1
    return size


def write_varint(block: BytesWriter, number: i64) -> None:
    """Append `number` as a zig-zag varint."""
    rest: i64 = (number << 1) ^ (number >> 63)
    byte: int
    if not 0 <= rest < 128:
        byte = (rest & 0x7F) | 0x80
        block.append(byte)
        rest = (rest >> 7) & 0x1FFFFFFFFFFFFFF
        while rest >= 128:
            byte = (rest & 0x7F) | 0x80
            block.append(byte)
            rest >>= 7
    byte = rest
    block.append(byte)
