"""The header of a record batch, format v2 (KIP-98), read and patched where it lies.

    0  base offset            17  crc (CRC-32C of all that follows)   43  producer id
    8  length after here      21  attributes                          51  producer epoch
    12 partition leader epoch 23  last offset delta                   53  base sequence
    16 magic = 2              27  base timestamp                      57  record count
                              35  max timestamp                       61  records

The checksum begins after itself, so a broker may set base offset and leader epoch without
touching it: a batch is stored and sent as its producer made it.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from struct import Struct
from struct import error as struct_error
from typing import Final

from librt.strings import read_i16_be, read_i32_be, read_i64_be

from moldau.errors import CorruptRecordError
from moldau.platform.buffers import Buffer
from moldau.protocol.records.checksum import crc32c

MAGIC: Final = 2
HEADER_SIZE: Final = 61
LENGTH_END: Final = 12
"""Bytes that `length` does not count: itself and the base offset before it."""
CRC_START: Final = 21
"""Where the checksummed part of a batch begins."""

NO_TIMESTAMP: Final = -1
NO_PRODUCER_ID: Final = -1
NO_PRODUCER_EPOCH: Final = -1
NO_SEQUENCE: Final = -1
NO_LEADER_EPOCH: Final = -1

CODEC_MASK: Final = 0x07
LOG_APPEND_TIME_BIT: Final = 0x08
TRANSACTIONAL_BIT: Final = 0x10
CONTROL_BIT: Final = 0x20
DELETE_HORIZON_BIT: Final = 0x40
ENCRYPTED_BIT: Final = 0x80
"""Ours, and never sent to a client: a broker has encrypted the records (broker/log/encryption)."""

_HEADER: Final = Struct(">qiibIhiqqqhii")
_OFFSET: Final = Struct(">q")
_CRC: Final = Struct(">I")
_LENGTH: Final = Struct(">i")
LENGTH_POSITION: Final = 8
CRC_POSITION: Final = 17
SIGN_BIT: Final = 0x80
UINT32_MAX: Final = 0xFFFFFFFF


Values = tuple[int, int, int, int, int, int, int, int, int, int, int, int, int]
FIELDS: Final = (
    "base_offset", "length", "leader_epoch", "magic", "crc", "attributes", "last_offset_delta",
    "base_timestamp", "max_timestamp", "producer_id", "producer_epoch", "base_sequence",
    "record_count",
)  # fmt: skip
"""Of a header, in the order of its bytes."""


class TimestampType(IntEnum):
    """Who set the timestamps of a batch."""

    CREATE = 0
    LOG_APPEND = 1


class BatchHeader:
    """The fields of a header, as they lie in the bytes; never changed."""

    __slots__ = (
        "attributes", "base_offset", "base_sequence", "base_timestamp", "crc", "last_offset_delta",
        "leader_epoch", "length", "magic", "max_timestamp", "producer_epoch", "producer_id",
        "record_count",
    )  # fmt: skip

    def __init__(
        self,
        base_offset: int,
        length: int,
        leader_epoch: int,
        magic: int,
        crc: int,
        attributes: int,
        last_offset_delta: int,
        base_timestamp: int,
        max_timestamp: int,
        producer_id: int,
        producer_epoch: int,
        base_sequence: int,
        record_count: int,
    ) -> None:
        self.base_offset = base_offset
        self.length = length
        self.leader_epoch = leader_epoch
        self.magic = magic
        self.crc = crc
        self.attributes = attributes
        self.last_offset_delta = last_offset_delta
        self.base_timestamp = base_timestamp
        self.max_timestamp = max_timestamp
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.base_sequence = base_sequence
        self.record_count = record_count

    def __repr__(self) -> str:
        values = zip(FIELDS, self.values(), strict=True)
        return f"BatchHeader({', '.join(f'{name}={value}' for name, value in values)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BatchHeader) and self.values() == other.values()

    def __hash__(self) -> int:
        return hash(self.values())

    def values(self) -> Values:
        """All fields, in their order."""
        return (
            self.base_offset,
            self.length,
            self.leader_epoch,
            self.magic,
            self.crc,
            self.attributes,
            self.last_offset_delta,
            self.base_timestamp,
            self.max_timestamp,
            self.producer_id,
            self.producer_epoch,
            self.base_sequence,
            self.record_count,
        )

    def replaced(self, **values: int) -> BatchHeader:
        """The same with other values in these fields."""
        return BatchHeader(**{**dict(zip(FIELDS, self.values(), strict=True)), **values})

    def placed(
        self, base_offset: int, leader_epoch: int, attributes: int, max_timestamp: int, crc: int
    ) -> BatchHeader:
        """The same with other values in the fields that a broker sets."""
        # hot: for each append; `replaced` makes two dicts.
        return BatchHeader(
            base_offset, self.length, leader_epoch, self.magic, crc, attributes,
            self.last_offset_delta, self.base_timestamp, max_timestamp, self.producer_id,
            self.producer_epoch, self.base_sequence, self.record_count,
        )  # fmt: skip

    def sized(self, length: int) -> BatchHeader:
        """The same with another length."""
        return BatchHeader(
            self.base_offset, length, self.leader_epoch, self.magic, self.crc, self.attributes,
            self.last_offset_delta, self.base_timestamp, self.max_timestamp, self.producer_id,
            self.producer_epoch, self.base_sequence, self.record_count,
        )  # fmt: skip

    def sent_by(
        self, producer_id: int, producer_epoch: int, base_sequence: int, attributes: int
    ) -> BatchHeader:
        """The same with other values in the fields that a producer sets as it sends."""
        return BatchHeader(
            self.base_offset, self.length, self.leader_epoch, self.magic, self.crc, attributes,
            self.last_offset_delta, self.base_timestamp, self.max_timestamp, producer_id,
            producer_epoch, base_sequence, self.record_count,
        )  # fmt: skip

    @property
    def size(self) -> int:
        """Bytes of the whole batch."""
        return self.length + LENGTH_END

    @property
    def last_offset(self) -> int:
        return self.base_offset + self.last_offset_delta

    @property
    def next_offset(self) -> int:
        return self.base_offset + self.last_offset_delta + 1

    @property
    def last_sequence(self) -> int:
        """The sequence of the last record; after 2³¹-1 comes 0."""
        if self.base_sequence == NO_SEQUENCE:
            return NO_SEQUENCE
        return (self.base_sequence + self.last_offset_delta) & 0x7FFFFFFF

    @property
    def codec(self) -> int:
        """The number of the compression codec, see `records.compression`."""
        return self.attributes & CODEC_MASK

    @property
    def timestamp_type(self) -> TimestampType:
        return TimestampType((self.attributes & LOG_APPEND_TIME_BIT) >> 3)

    @property
    def is_transactional(self) -> bool:
        return bool(self.attributes & TRANSACTIONAL_BIT)

    @property
    def is_control(self) -> bool:
        return bool(self.attributes & CONTROL_BIT)

    @property
    def is_encrypted(self) -> bool:
        return bool(self.attributes & ENCRYPTED_BIT)

    @property
    def delete_horizon_ms(self) -> int | None:
        """When tombstones and markers of this batch may be removed; compaction keeps it in the
        base."""
        return self.base_timestamp if self.attributes & DELETE_HORIZON_BIT else None

    @property
    def has_producer(self) -> bool:
        return self.producer_id != NO_PRODUCER_ID

    def pack(self) -> bytes:
        return _HEADER.pack(*self.values())


def read_header(buffer: Buffer, position: int = 0) -> BatchHeader:
    """The header at `position`; the bytes for it must be there, its contents are not judged."""
    if isinstance(buffer, bytes):
        return _header_of_bytes(buffer, position)
    values: Values = _HEADER.unpack_from(buffer, position)
    # hot: once for each batch that is read; one by one, compiled code needs no arguments' tuple.
    return BatchHeader(
        values[0], values[1], values[2], values[3], values[4], values[5], values[6],
        values[7], values[8], values[9], values[10], values[11], values[12],
    )  # fmt: skip


def _header_of_bytes(buffer: bytes, position: int) -> BatchHeader:
    """The same; compiled code reads numbers out of bytes without a tuple of them."""
    # hot: twice for each partition of a fetch.
    if not 0 <= position <= len(buffer) - HEADER_SIZE:
        raise struct_error(f"{len(buffer)} bytes have no header at {position}")
    magic: int = buffer[position + 16]
    crc: int = read_i32_be(buffer, position + 17)
    return BatchHeader(
        read_i64_be(buffer, position),
        read_i32_be(buffer, position + 8),
        read_i32_be(buffer, position + 12),
        magic if magic < SIGN_BIT else magic - 2 * SIGN_BIT,
        crc & UINT32_MAX,
        read_i16_be(buffer, position + 21),
        read_i32_be(buffer, position + 23),
        read_i64_be(buffer, position + 27),
        read_i64_be(buffer, position + 35),
        read_i64_be(buffer, position + 43),
        read_i16_be(buffer, position + 51),
        read_i32_be(buffer, position + 53),
        read_i32_be(buffer, position + 57),
    )


def read_whole_header(buffer: Buffer, position: int = 0) -> BatchHeader:
    """The header at `position` of a batch that lies wholly in `buffer`, or `CorruptRecordError`."""
    room = len(buffer) - position
    if room < HEADER_SIZE:
        raise CorruptRecordError(f"batch header cut off: {room} of {HEADER_SIZE} bytes")
    header = read_header(buffer, position)
    if header.magic != MAGIC:
        raise CorruptRecordError(f"batch format {header.magic} where {MAGIC} was expected")
    if not HEADER_SIZE <= header.size <= room:
        raise CorruptRecordError(f"batch claims {header.size} bytes where {room} are left")
    return header


def write_header(buffer: bytearray | memoryview, header: BatchHeader, position: int = 0) -> None:
    _HEADER.pack_into(buffer, position, *header.values())


def set_base_offset(buffer: bytearray | memoryview, base_offset: int, position: int = 0) -> None:
    """Give the batch its place in the log; outside the checksum."""
    _OFFSET.pack_into(buffer, position, base_offset)


def checksum_of(batch: Buffer, header: BatchHeader, position: int = 0) -> int:
    """The checksum that the batch at `position` should have."""
    return crc32c(memoryview(batch)[position + CRC_START : position + header.size])


def ensure_checksum(batch: Buffer, header: BatchHeader, position: int = 0) -> None:
    """Return if the whole batch at `position` is as it was written, or raise."""
    found = checksum_of(batch, header, position)
    if found != header.crc:
        raise CorruptRecordError(
            f"batch at offset {header.base_offset} has checksum {found:#010x} where its header"
            f" says {header.crc:#010x}"
        )


def set_checksum(buffer: bytearray | memoryview, size: int, position: int = 0) -> int:
    """Write the checksum into the batch of `size` bytes at `position`, and return it."""
    crc = crc32c(memoryview(buffer)[position + CRC_START : position + size])
    _CRC.pack_into(buffer, position + CRC_POSITION, crc)
    return crc


def iterate_batches(buffer: Buffer) -> Iterator[memoryview]:
    """The batches that lie in `buffer` one after another; one that is cut off ends the walk.

    A fetch may end anywhere, so the last batch of an answer is often a beginning only.
    """
    view = memoryview(buffer)
    while len(view) >= LENGTH_END:
        size = _LENGTH.unpack_from(view, LENGTH_POSITION)[0] + LENGTH_END
        if size < HEADER_SIZE:
            raise CorruptRecordError(f"batch claims {size} bytes where a header has {HEADER_SIZE}")
        if size > len(view):
            return
        yield view[:size]
        view = view[size:]
