"""Records to bytes and back in the slow, obvious way: what fast code is compared with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class PlainRecord(NamedTuple):
    """One record, its timestamp and offset as distances from the batch's base."""

    timestamp_delta: int = 0
    offset_delta: int = 0
    key: bytes | None = None
    value: bytes | None = None
    headers: tuple[tuple[bytes, bytes | None], ...] = ()


def write_plain_block(records: Iterable[PlainRecord]) -> bytes:
    return b"".join(_with_length(_record(record)) for record in records)


def zigzag_varint(number: int) -> bytes:
    rest = number * 2 if number >= 0 else -number * 2 - 1
    written = bytearray()
    while rest >= 128:
        written.append(rest % 128 + 128)
        rest //= 128
    written.append(rest)
    return bytes(written)


def _record(record: PlainRecord) -> bytes:
    parts = [
        b"\x00",
        zigzag_varint(record.timestamp_delta),
        zigzag_varint(record.offset_delta),
        _with_length(record.key),
        _with_length(record.value),
        zigzag_varint(len(record.headers)),
    ]
    for key, value in record.headers:
        parts += [_with_length(key), _with_length(value)]
    return b"".join(parts)


def _with_length(data: bytes | None) -> bytes:
    return zigzag_varint(-1) if data is None else zigzag_varint(len(data)) + data
