"""Batches for the tests of the log: small, whole, with a right checksum."""

from __future__ import annotations

import google_crc32c

from moldau.protocol.records.batch import (
    CRC_START,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
    BatchHeader,
    read_header,
    write_header,
)

HEADER_SIZE = 61


def varint(value: int) -> bytes:
    """Zigzag, as record fields have it."""
    value = (value << 1) ^ (value >> 63)
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def record(
    offset_delta: int, value: bytes, timestamp_delta: int = 0, key: bytes | None = b"k"
) -> bytes:
    body = b"\0" + varint(timestamp_delta) + varint(offset_delta)
    body += varint(-1) if key is None else varint(len(key)) + key
    body += varint(len(value)) + value + varint(0)
    return varint(len(body)) + body


def batch(
    base_offset: int = 0,
    values: tuple[bytes, ...] = (b"v",),
    timestamp: int = 1_000,
    *,
    leader_epoch: int = 0,
    attributes: int = 0,
    producer: tuple[int, int, int] = (NO_PRODUCER_ID, NO_PRODUCER_EPOCH, NO_SEQUENCE),
    timestamps: tuple[int, ...] | None = None,
    key: bytes | None = b"k",
) -> bytearray:
    """One uncompressed batch; the timestamps of its records are all the same unless given."""
    stamps = timestamps or (timestamp,) * max(1, len(values))
    records = b"".join(
        record(delta, value, stamp - stamps[0], key)
        for delta, (value, stamp) in enumerate(zip(values, stamps, strict=False))
    )
    return around(records, len(values), base_offset, stamps, leader_epoch, attributes, producer)


def around(records, count, base_offset, stamps, leader_epoch, attributes, producer) -> bytearray:
    header = BatchHeader(
        base_offset,
        HEADER_SIZE - 12 + len(records),
        leader_epoch,
        2,
        0,
        attributes,
        max(count - 1, 0),
        stamps[0],
        max(stamps),
        producer[0],
        producer[1],
        producer[2],
        count,
    )
    whole = bytearray(header.pack() + records)
    return with_checksum(whole)


def with_checksum(whole: bytearray) -> bytearray:
    crc = google_crc32c.value(bytes(whole[CRC_START:]))
    write_header(whole, read_header(whole).replaced(crc=crc))
    return whole


def headers_of(data: bytes | bytearray) -> list[BatchHeader]:
    headers, position = [], 0
    while position < len(data):
        headers.append(read_header(data, position))
        position += headers[-1].size
    return headers


def marker(producer_id: int, *, commit: bool, epoch: int = 0, timestamp: int = 1_000) -> bytearray:
    """The control batch that ends a transaction."""
    key = b"\0\0\0" + bytes([commit])
    body = b"\0" + varint(0) + varint(0) + varint(len(key)) + key + varint(6) + bytes(6) + varint(0)
    record_of_marker = varint(len(body)) + body
    return around(record_of_marker, 1, 0, (timestamp,), 0, 0x30, (producer_id, epoch, -1))
