"""The records inside a batch, one by one, as values.

Brokers do not: they store and send batches. This is the plain way for tools, coordinators and
tests, at a few microseconds per record; `arrow` is the way for many.

Deltas in the bytes count from the batch's base offset and base timestamp. The timestamps of a
batch with log-append time are all its max timestamp, whatever its records have (KIP-32). Sequences
follow the base sequence, and after 2³¹-1 comes 0 (KIP-98).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from moldau.errors import CorruptRecordError
from moldau.platform.buffers import Buffer
from moldau.protocol.records.batch import (
    HEADER_SIZE,
    NO_SEQUENCE,
    BatchHeader,
    TimestampType,
    read_whole_header,
)
from moldau.protocol.records.compression import OUTPUT_BYTES_MAX, Codec, decompress
from moldau.protocol.records.scan import NULL_LENGTH, Row, read_rows, scan_in_steps
from moldau.protocol.records.scan_headers import Header, headers_at

__all__ = [
    "INT64_MAX",
    "INT64_MIN",
    "SEQUENCE_MAX",
    "Header",
    "Record",
    "ensure_int64",
    "headers_at",
    "iterate_records",
    "part_at",
    "record_at",
    "records_block",
    "sequence_at",
]

SEQUENCE_MAX = 0x7FFFFFFF
INT64_MIN, INT64_MAX = -(1 << 63), (1 << 63) - 1


class Record(NamedTuple):
    """One record in its place."""

    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: tuple[Header, ...] = ()
    sequence: int = NO_SEQUENCE


def iterate_records(batch: Buffer) -> Iterator[Record]:
    """The records of the batch at the beginning of `batch`, which must be whole.

    The checksum is not looked at: see `batch.ensure_checksum`.
    """
    header = read_whole_header(batch)
    block = records_block(batch, header)
    for rows in scan_in_steps(block, header.record_count):
        for row in read_rows(rows):
            yield record_at(block, row, header)


def records_block(
    batch: Buffer, header: BatchHeader, output_bytes_max: int = OUTPUT_BYTES_MAX
) -> bytes:
    """The records of the batch, decompressed: what the scanner reads."""
    compressed = memoryview(batch)[HEADER_SIZE : header.size]
    if header.codec == Codec.NONE:
        return bytes(compressed)
    return decompress(header.codec, compressed, output_bytes_max=output_bytes_max)


def record_at(block: bytes, row: Row, header: BatchHeader) -> Record:
    """The record that `row` describes."""
    return Record(
        ensure_int64(header.base_offset + row.offset_delta, "offset"),
        _timestamp(row, header),
        part_at(block, row.key_start, row.key_length),
        part_at(block, row.value_start, row.value_length),
        headers_at(block, row.headers_start, row.header_count) if row.header_count else (),
        sequence_at(header, row.offset_delta),
    )


def part_at(block: bytes, start: int, length: int) -> bytes | None:
    """A key or a value."""
    return None if length == NULL_LENGTH else block[start : start + length]


def sequence_at(header: BatchHeader, offset_delta: int) -> int:
    """The producer's number of the record `offset_delta` after the batch's first."""
    if header.base_sequence < 0:
        return NO_SEQUENCE
    return (header.base_sequence + offset_delta) & SEQUENCE_MAX


def _timestamp(row: Row, header: BatchHeader) -> int:
    if header.timestamp_type is TimestampType.LOG_APPEND:
        return header.max_timestamp
    return ensure_int64(header.base_timestamp + row.timestamp_delta, "timestamp")


def ensure_int64(number: int, name: str) -> int:
    """The number, where it fits into the field that it comes from."""
    if not INT64_MIN <= number <= INT64_MAX:
        raise CorruptRecordError(f"record has {name} {number}, which is beyond 64 bits")
    return number
