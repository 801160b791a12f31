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

from moldau.errors import CorruptRecordError
from moldau.platform.buffers import Buffer
from moldau.protocol.records.batch import (
    CODEC_MASK,
    LOG_APPEND_TIME_BIT,
    NO_TIMESTAMP,
    TimestampType,
)
from moldau.protocol.records.compression import Codec, decompress
from moldau.protocol.records.record import Record, ensure_int64

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
    crc: int
    is_valid: bool
    """Its checksum holds; key and value of one that is not may make no sense."""
    size: int
    """With offset and size, as the set has it."""
    parts: memoryview

    @property
    def codec(self) -> int:
        return self.attributes & CODEC_MASK

    @property
    def timestamp_type(self) -> TimestampType:
        has_log_append_time = self.magic and self.attributes & LOG_APPEND_TIME_BIT
        return TimestampType.LOG_APPEND if has_log_append_time else TimestampType.CREATE

    def record(self) -> Record:
        """What it holds, where it is no wrapper."""
        return Record(self.offset, self.timestamp, *self.key_and_value())

    def key_and_value(self) -> tuple[bytes | None, bytes | None]:
        key, position = _part_at(self.parts, 0)
        value, position = _part_at(self.parts, position)
        if self.is_valid and position != len(self.parts):
            raise CorruptRecordError(f"message at offset {self.offset} ends before its size")
        return key, value


def iterate_legacy_records(buffer: Buffer) -> Iterator[Record]:
    """The records of the message set in `buffer`; a last message that is cut off ends it."""
    for message in iterate_messages(buffer):
        _ensure_valid(message)
        for each in opened(message, judged=True):
            yield each.record()


def iterate_messages(buffer: Buffer) -> Iterator[Message]:
    """The entries of the message set in `buffer`, wrappers as they are, with their checksums."""
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
    is_valid = crc32(view[_LENGTH.size :]) == crc
    position, timestamp = _FIXED.size, NO_TIMESTAMP
    if magic:
        timestamp = _int_at(_TIMESTAMP, view, position)
        position += _TIMESTAMP.size
    size = ENTRY_HEADER_SIZE + len(view)
    return Message(offset, magic, attributes, timestamp, crc, is_valid, size, view[position:])


def _ensure_valid(message: Message) -> None:
    if not message.is_valid:
        raise CorruptRecordError(f"message at offset {message.offset} fails its checksum")


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


def opened(message: Message, *, judged: bool = False) -> Iterator[Message]:
    """The messages in a wrapper, with the offsets and times that readers see; or itself.

    Where it is `judged`, whatever contradicts itself inside is corrupt. Otherwise, as for people
    who look what there is, only what cannot be read.
    """
    if message.codec == Codec.NONE:
        yield message
        return
    inner = list(_inner_messages(message, judged))
    if not inner:
        raise CorruptRecordError(f"compressed message at offset {message.offset} holds none")
    base_offset = message.offset - inner[-1].offset if message.magic else 0
    for each in inner:
        has_log_append_time = message.timestamp_type is TimestampType.LOG_APPEND
        timestamp = message.timestamp if has_log_append_time else each.timestamp
        offset = ensure_int64(base_offset + each.offset, "offset")
        yield each._replace(offset=offset, timestamp=timestamp)


def _inner_messages(wrapper: Message, judged: bool) -> Iterator[Message]:
    _, value = wrapper.key_and_value()
    if value is None:
        raise CorruptRecordError(f"compressed message at offset {wrapper.offset} has no value")
    block = decompress(wrapper.codec, value, magic=wrapper.magic)
    size = 0
    for message in iterate_messages(block):
        if message.codec != Codec.NONE or (judged and message.magic != wrapper.magic):
            raise CorruptRecordError(
                f"compressed message at offset {wrapper.offset} holds one of another kind"
            )
        if judged:
            _ensure_valid(message)
        size += message.size
        yield message
    if judged and size != len(block):
        raise CorruptRecordError(f"compressed message at offset {wrapper.offset} is cut off inside")
