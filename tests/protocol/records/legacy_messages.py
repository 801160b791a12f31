"""Messages of formats 0 and 1, written by hand: no client writes them any more."""

from __future__ import annotations

from struct import pack
from zlib import crc32

from moldau.protocol.records.compression import compress
from tests.protocol.records.captured import TIME

GZIP = 1
LOG_APPEND_TIME = 8


def message(
    offset: int,
    value: bytes | None,
    *,
    magic: int = 1,
    attributes: int = 0,
    key: bytes | None = None,
    timestamp: int = TIME,
) -> bytes:
    time = pack(">q", timestamp) if magic else b""
    body = bytes((magic, attributes)) + time + _part(key) + _part(value)
    return pack(">qiI", offset, len(body) + 4, crc32(body)) + body


def _part(data: bytes | None) -> bytes:
    return pack(">i", -1) if data is None else pack(">i", len(data)) + data


def wrapper(offset: int, *inside: bytes, codec: int = GZIP, magic: int = 1, more: int = 0) -> bytes:
    """A compressed message around others."""
    value = compress(codec, b"".join(inside))
    return message(offset, value, magic=magic, attributes=codec | more)


def flipped(contents: bytes, position: int) -> bytes:
    """The same with one bit turned over."""
    changed = bytearray(contents)
    changed[position] ^= 1
    return bytes(changed)
