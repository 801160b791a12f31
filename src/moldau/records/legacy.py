"""Message sets, formats v0 and v1: what Kafka wrote before 0.11. Read, never written.

    0  offset                     16  magic, 0 or 1        18 or 26  key length, key
    8  size after here            17  attributes                     value length, value
    12 crc (CRC-32 from magic on) 18  timestamp (v1)

A log or a fetch holds messages one after another. A compressed message is a wrapper: its value is
a message set, all of its own format, and its offset is that of the last message inside. The
offsets inside are absolute in v0, and count from 0 in v1 (KIP-31), where the wrapper's offset
anchors them; with log-append time the wrapper's timestamp is that of all (KIP-32). Wrappers do
not nest: a wrapper inside a wrapper is corrupt, so depth is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import NamedTuple
from zlib import crc32

from moldau.buffers import Buffer
from moldau.errors import CorruptRecordError
from moldau.records.batch import CODEC_MASK, LOG_APPEND_TIME_BIT, NO_TIMESTAMP, TimestampType
from moldau.records.compression import Codec, decompress
from moldau.records.record import Record, ensure_int64

MAGIC_MAX = 1
ENTRY_HEADER_SIZE = 12
"""Offset and size, which the size does not count."""
SIZE_MIN = 14
"""A v0 message with null key and null value."""

_ENTRY = Struct(">qi")
_FIXED = Struct(">Ibb")
_TIMESTAMP = Struct(">q")
_LENGTH = Struct(">i")


class Message(NamedTuple):
    """One entry of a message set, as it lies there."""

    offset: int
    magic: int
    attributes: int
    timestamp: int
    key: bytes | None
    value: bytes | None

    @property
    def codec(self) -> int:
        return self.attributes & CODEC_MASK

    @property
    def timestamp_type(self) -> TimestampType:
        has_log_append_time = self.magic and self.attributes & LOG_APPEND_TIME_BIT
        return TimestampType.LOG_APPEND if has_log_append_time else TimestampType.CREATE


def iterate_legacy_records(buffer: Buffer) -> Iterator[Record]:
    """The records of the message set in `buffer`; a last message that is cut off ends it."""
    for message in iterate_messages(buffer):
        if message.codec == Codec.NONE:
            yield Record(message.offset, message.timestamp, message.key, message.value)
        else:
            yield from _unwrap(message)


def iterate_messages(buffer: Buffer) -> Iterator[Message]:
    """The entries of the message set in `buffer`, wrappers as they are."""
    view = memoryview(buffer)
    while len(view) >= ENTRY_HEADER_SIZE:
        offset, size = _ENTRY.unpack_from(view)
        if size < SIZE_MIN:
            raise CorruptRecordError(f"message at offset {offset} claims {size} bytes")
        end = ENTRY_HEADER_SIZE + size
        if end > len(view):
            return
        yield _read_message(offset, view[ENTRY_HEADER_SIZE:end])
        view = view[end:]


def _read_message(offset: int, view: memoryview) -> Message:
    crc, magic, attributes = _FIXED.unpack_from(view)
    if not 0 <= magic <= MAGIC_MAX:
        raise CorruptRecordError(f"message at offset {offset} has format {magic}, not 0 or 1")
    if crc32(view[_LENGTH.size :]) != crc:
        raise CorruptRecordError(f"message at offset {offset} fails its checksum")
    position, timestamp = _FIXED.size, NO_TIMESTAMP
    if magic:
        timestamp = _int_at(_TIMESTAMP, view, position)
        position += _TIMESTAMP.size
    key, position = _part_at(view, position)
    value, position = _part_at(view, position)
    if position != len(view):
        raise CorruptRecordError(f"message at offset {offset} ends before its size")
    return Message(offset, magic, attributes, timestamp, key, value)


def _part_at(view: memoryview, position: int) -> tuple[bytes | None, int]:
    length = _int_at(_LENGTH, view, position)
    position += _LENGTH.size
    if length < 0:
        return None, position
    if length > len(view) - position:
        raise CorruptRecordError(f"message claims {length} bytes, {len(view) - position} are left")
    return bytes(view[position : position + length]), position + length


def _int_at(field: Struct, view: memoryview, position: int) -> int:
    if len(view) - position < field.size:
        raise CorruptRecordError("message ends inside a field")
    number: int = field.unpack_from(view, position)[0]
    return number


def _unwrap(wrapper: Message) -> Iterator[Record]:
    if wrapper.value is None:
        raise CorruptRecordError(f"compressed message at offset {wrapper.offset} has no value")
    messages = list(_inner_messages(wrapper, wrapper.value))
    if not messages:
        raise CorruptRecordError(f"compressed message at offset {wrapper.offset} holds none")
    base_offset = wrapper.offset - messages[-1].offset if wrapper.magic else 0
    for message in messages:
        has_log_append_time = wrapper.timestamp_type is TimestampType.LOG_APPEND
        timestamp = wrapper.timestamp if has_log_append_time else message.timestamp
        offset = ensure_int64(base_offset + message.offset, "offset")
        yield Record(offset, timestamp, message.key, message.value)


def _inner_messages(wrapper: Message, value: bytes) -> Iterator[Message]:
    block = decompress(wrapper.codec, value, magic=wrapper.magic)
    size = 0
    for message in iterate_messages(block):
        if message.magic != wrapper.magic or message.codec != Codec.NONE:
            raise CorruptRecordError(
                f"compressed message at offset {wrapper.offset} holds one of another kind"
            )
        size += ENTRY_HEADER_SIZE + _size_of(message)
        yield message
    if size != len(block):
        raise CorruptRecordError(f"compressed message at offset {wrapper.offset} is cut off inside")


def _size_of(message: Message) -> int:
    timestamp_size = _TIMESTAMP.size if message.magic else 0
    return SIZE_MIN + timestamp_size + len(message.key or b"") + len(message.value or b"")
