"""Batches whose records are all of one moment: what a coordinator writes, and often.

`builder` takes records one by one, each with its time and headers. Here all of them are there at
once, with key and value alone, and everything that the header has for all such batches is worked
out beforehand. A test shows that both make the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from librt.strings import BytesWriter

from moldau.errors import EncodeError
from moldau.protocol.records.batch import (
    CRC_POSITION,
    CRC_START,
    HEADER_SIZE,
    LENGTH_END,
    MAGIC,
    NO_TIMESTAMP,
)
from moldau.protocol.records.builder import SIZE_MAX, BatchFields
from moldau.protocol.records.checksum import crc32c
from moldau.protocol.records.compression import Codec, compress
from moldau.protocol.records.pack import pack_record

Pair = tuple[bytes, bytes | None]
"""A record's key and value."""

_HEADER: Final = Struct(">qiibIhiqqqhii")
_CRC: Final = Struct(">I")


class MomentBatches:
    """Makes batches that have these fields in common; the times are those of their records."""

    def __init__(self, fields: BatchFields, size_max: int = SIZE_MAX) -> None:
        assert fields.log_append_time is None, "the time is that of the records"
        assert fields.delete_horizon_ms is None, "nothing is deleted from a new batch"
        self.fields = fields
        self._attributes = int(fields.attributes)
        self._size_max = size_max
        self._is_packed = fields.codec != Codec.NONE

    def __repr__(self) -> str:
        return f"MomentBatches({self.fields})"

    # hot: once for each batch of a coordinator.
    def build(self, timestamp: int, pairs: Sequence[Pair]) -> bytearray:
        """The batch of these records."""
        fields, block, count = self.fields, BytesWriter(), 0
        for key, value in pairs:
            pack_record(block, 0, count, key, value)
            count += 1
        records = block.getvalue()
        if self._is_packed:
            records = compress(fields.codec, records, fields.level)
        length = HEADER_SIZE - LENGTH_END + len(records)
        if length > self._size_max:
            raise EncodeError(f"batch of {length} bytes: a batch has at most {self._size_max}")
        if not count:
            timestamp = NO_TIMESTAMP
        batch = bytearray(HEADER_SIZE)
        batch += records
        _HEADER.pack_into(
            batch, 0, fields.base_offset, length, fields.leader_epoch, MAGIC, 0, self._attributes,
            count - 1, timestamp, timestamp, fields.producer_id, fields.producer_epoch,
            fields.base_sequence, count,
        )  # fmt: skip
        _CRC.pack_into(batch, CRC_POSITION, crc32c(memoryview(batch)[CRC_START:]))
        return batch
