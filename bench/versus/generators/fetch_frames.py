"""Fetch requests and answers of a session, made and read flat: what a load may spend on them.

`fetch_frame` writes what `encode` writes, and `read_answer` finds what `decode` finds, for version
17; a test holds both against the codec. Of the records only the last
offset of each batch is read, and the eight bytes with which each value begins.
"""

from __future__ import annotations

from collections.abc import Iterable
from struct import Struct
from typing import NamedTuple

from moldau.protocol.messages.data.fetch import FetchRequest

VERSION = 17
CLIENT_ID = b"versus"
WAIT_MAX_MS = 500
BYTES_MIN = 1
BYTES_MAX = 50 * 1024 * 1024
PARTITION_BYTES_MAX = 1024 * 1024
"""Defaults of Kafka's consumer."""
VALUE_AT = 61 + 8
"""Behind the batch's header and the eight bytes before a value of 100 bytes without a key."""
LAST_OFFSET_DELTA_AT = 23
LENGTH_END = 12
_HEADER = Struct(f">hhih{len(CLIENT_ID)}sB")
_BODY = Struct(">iiibiiB")
_PARTITION = Struct(">iiqiqiB")
_ANSWER = Struct(">iBihi")
_PARTITION_ANSWER = Struct(">ihqqq")
_BATCH = Struct(">qi")
_INT32 = Struct(">i")
_INT64 = Struct(">q")
TOPIC_ID_BYTES = 16


class Found(NamedTuple):
    """What one partition of an answer brought."""

    partition: int
    error_code: int
    next_offset: int
    stamps: list[int]
    """The first eight bytes of each batch's first value."""


def varint(number: int) -> bytes:
    """Unsigned, as compact lengths are written."""
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)


def read_varint(buffer: bytes, position: int) -> tuple[int, int]:
    """The number, and the position behind it."""
    number = shift = 0
    while (byte := buffer[position]) > 0x7F:
        number |= (byte & 0x7F) << shift
        shift += 7
        position += 1
    return number | byte << shift, position + 1


def fetch_frame(
    topic_id: bytes, session_id: int, session_epoch: int, offsets: Iterable[tuple[int, int]]
) -> bytes:
    """A fetch in a session that names these partitions, each with the offset to go on from."""
    header = _HEADER.pack(FetchRequest.KEY, VERSION, session_epoch, len(CLIENT_ID), CLIENT_ID, 0)
    parts = [
        _PARTITION.pack(partition, -1, offset, -1, -1, PARTITION_BYTES_MAX, 0)
        for partition, offset in offsets
    ]
    topic = topic_id + varint(len(parts) + 1) + b"".join(parts) + b"\0" if parts else b""
    fixed = _BODY.pack(
        WAIT_MAX_MS, BYTES_MIN, BYTES_MAX, 0, session_id, session_epoch, 1 + bool(parts)
    )
    body = header + fixed + topic + b"\x01\x01\x00"
    return _INT32.pack(len(body)) + body


def read_answer(frame: bytes) -> tuple[int, list[Found]]:
    """Session id and findings of an answer that is given without its size."""
    _, _, _, error_code, session_id = _ANSWER.unpack_from(frame)
    assert error_code == 0, f"a fetch failed with error {error_code}"
    topics, position = read_varint(frame, _ANSWER.size)
    found: list[Found] = []
    for _ in range(topics - 1):
        partitions, position = read_varint(frame, position + TOPIC_ID_BYTES)
        for _ in range(partitions - 1):
            one, position = _read_partition(frame, position)
            found.append(one)
        position += 1
    return session_id, found


def _read_partition(frame: bytes, position: int) -> tuple[Found, int]:
    index, error_code, *_ = _PARTITION_ANSWER.unpack_from(frame, position)
    aborted, position = read_varint(frame, position + _PARTITION_ANSWER.size)
    assert aborted <= 1, "nothing here is transactional"
    size, position = read_varint(frame, position + _INT32.size)
    end = position + max(0, size - 1)
    next_offset, stamps = -1, []
    while position < end:
        base_offset, length = _BATCH.unpack_from(frame, position)
        (delta,) = _INT32.unpack_from(frame, position + LAST_OFFSET_DELTA_AT)
        next_offset = base_offset + delta + 1
        stamps.append(_INT64.unpack_from(frame, position + VALUE_AT)[0])
        position += LENGTH_END + length
    return Found(index, error_code, next_offset, stamps), _skip_tags(frame, end)


def _skip_tags(frame: bytes, position: int) -> int:
    """Where a partition has an error its leader may be named here."""
    tags, position = read_varint(frame, position)
    for _ in range(tags):
        _, position = read_varint(frame, position)
        size, position = read_varint(frame, position)
        position += size
    return position
