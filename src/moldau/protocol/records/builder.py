"""Records become a batch.

`BatchBuilder` takes records one by one, packs each at once, and refuses when it has no room for the
next; compression, header and checksum come at the end, in `assemble_batch`, which all that
has a block of packed records uses (Arrow, recompression, compaction).

The first record's timestamp is the base timestamp. With log-append time every record has the same
one, and it is the batch's max timestamp (KIP-32). Producer fields may be set up to `build`,
because a producer gets its id and its next sequence only when the batch is sent (KIP-98).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from librt.strings import BytesWriter

from moldau.errors import EncodeError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.batch import (
    CONTROL_BIT,
    DELETE_HORIZON_BIT,
    HEADER_SIZE,
    LENGTH_END,
    LOG_APPEND_TIME_BIT,
    MAGIC,
    NO_LEADER_EPOCH,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
    NO_TIMESTAMP,
    TRANSACTIONAL_BIT,
    BatchHeader,
    set_checksum,
    write_header,
)
from moldau.protocol.records.compression import Codec, compress
from moldau.protocol.records.pack import pack_record, record_size

OFFSET_DELTA_MAX = 0x7FFFFFFF
"""An int32 counts them."""
SIZE_MAX = 0x7FFFFFFF
"""An int32 holds how long a batch is, and how long a key, a value and a record."""
INT64_MIN, INT64_MAX = -(1 << 63), (1 << 63) - 1

Headers = Sequence[tuple[str, bytes | None]]


@dataclass(frozen=True, slots=True)
class BatchFields:
    """What a batch's header has about all of its records."""

    codec: Codec = Codec.NONE
    level: int | None = None
    """How hard the codec tries; None is the codec's default."""
    base_offset: int = 0
    leader_epoch: int = NO_LEADER_EPOCH
    producer_id: int = NO_PRODUCER_ID
    producer_epoch: int = NO_PRODUCER_EPOCH
    base_sequence: int = NO_SEQUENCE
    is_transactional: bool = False
    is_control: bool = False
    log_append_time: int | None = None
    """When the log took them in, where that is the time that counts."""
    delete_horizon_ms: int | None = None
    """From when on compaction may drop tombstones and markers; takes the base timestamp's place."""

    @property
    def attributes(self) -> int:
        return (
            self.codec
            | LOG_APPEND_TIME_BIT * (self.log_append_time is not None)
            | TRANSACTIONAL_BIT * self.is_transactional
            | CONTROL_BIT * self.is_control
            | DELETE_HORIZON_BIT * (self.delete_horizon_ms is not None)
        )


class BatchBuilder:
    """One batch in the making."""

    __slots__ = ("_base_timestamp", "_block", "_count", "_last", "_max_timestamp", "fields", "size")

    def __init__(self, fields: BatchFields | None = None) -> None:
        self.fields = fields or BatchFields()
        self.size = HEADER_SIZE
        """Bytes so far, as if nothing were compressed."""
        self._block = BytesWriter()
        self._base_timestamp = self.fields.delete_horizon_ms
        self._max_timestamp = NO_TIMESTAMP
        self._last = -1
        self._count = 0

    def __repr__(self) -> str:
        return f"BatchBuilder({self._count} records, {self.size} bytes before compression)"

    @property
    def record_count(self) -> int:
        return self._count

    def has_room(
        self,
        size_max: int,
        timestamp: int,
        key: bytes | None,
        value: bytes | None,
        headers: Headers = (),
        *,
        compression_ratio: float = 1.0,
    ) -> bool:
        """Whether the batch with this record would stay within `size_max` bytes.

        The first record always has room. `compression_ratio` is what the caller expects of the
        codec (compressed over plain), from batches before; only 1 is a guarantee.
        """
        if not self._count:
            return True
        delta = timestamp - (timestamp if self._base_timestamp is None else self._base_timestamp)
        more = record_size(delta, self._last + 1, key, value, headers)
        block = self.size - HEADER_SIZE + more
        return HEADER_SIZE + block * compression_ratio <= size_max

    def append(
        self,
        timestamp: int,
        key: bytes | None,
        value: bytes | None,
        headers: Headers = (),
        *,
        offset_delta: int | None = None,
    ) -> int:
        """Add a record and return its offset delta; one that is given may leave a gap."""
        delta = self._last + 1 if offset_delta is None else offset_delta
        if not self._last < delta <= OFFSET_DELTA_MAX:
            raise EncodeError(f"record has offset delta {delta} in a batch that is at {self._last}")
        if self._base_timestamp is None:
            self._base_timestamp = _int64(timestamp)
        timestamp_delta = _int64(timestamp - self._base_timestamp)
        pack_record(self._block, timestamp_delta, delta, key, value, headers)
        self.size = HEADER_SIZE + len(self._block)
        self._max_timestamp = max(self._max_timestamp, timestamp)
        self._last = delta
        self._count += 1
        return delta

    def build(self, *, last_offset_delta: int | None = None) -> bytearray:
        """The batch; compaction keeps the `last_offset_delta` of the batch that it shortens."""
        header = blank_header(
            self.fields,
            base_timestamp=self._base_timestamp,
            max_timestamp=self._max_timestamp,
            record_count=self._count,
            last_offset_delta=self._last if last_offset_delta is None else last_offset_delta,
        )
        return assemble_batch(header, self._block.getvalue(), self.fields.level)

    def set_producer(self, producer_id: int, producer_epoch: int, base_sequence: int) -> None:
        """Set the producer, and the sequence of the first record."""
        self.fields = replace(
            self.fields,
            producer_id=producer_id,
            producer_epoch=producer_epoch,
            base_sequence=base_sequence,
        )


def blank_header(
    fields: BatchFields,
    *,
    base_timestamp: int | None,
    max_timestamp: int,
    record_count: int,
    last_offset_delta: int,
) -> BatchHeader:
    """A header that lacks only what `assemble_batch` fills in: length and checksum."""
    if fields.log_append_time is not None:
        max_timestamp = fields.log_append_time
    return BatchHeader(
        base_offset=fields.base_offset,
        length=0,
        leader_epoch=fields.leader_epoch,
        magic=MAGIC,
        crc=0,
        attributes=fields.attributes,
        last_offset_delta=last_offset_delta,
        base_timestamp=NO_TIMESTAMP if base_timestamp is None else base_timestamp,
        max_timestamp=max_timestamp,
        producer_id=fields.producer_id,
        producer_epoch=fields.producer_epoch,
        base_sequence=fields.base_sequence,
        record_count=record_count,
    )


def assemble_batch(header: BatchHeader, block: bytes, level: int | None = None) -> bytearray:
    """A batch of packed records, compressed by the header's codec, with length and checksum."""
    records = block if header.codec == Codec.NONE else compress(header.codec, block, level)
    size = HEADER_SIZE + len(records)
    if size - LENGTH_END > SIZE_MAX:
        raise EncodeError(f"batch of {size} bytes: a batch has at most {SIZE_MAX + LENGTH_END}")
    batch = bytearray(HEADER_SIZE)
    batch += records
    write_header(batch, header.sized(size - LENGTH_END))
    set_checksum(batch, size)
    return batch


def _int64(number: int) -> int:
    if not INT64_MIN <= number <= INT64_MAX:
        raise EncodeError(f"timestamp {number} is beyond 64 bits")
    return number
