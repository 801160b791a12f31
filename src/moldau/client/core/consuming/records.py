"""Records as objects, made from the chunks of fetches as they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from moldau.client.core.fetching.chunk import Chunk
from moldau.errors import CorruptRecordError
from moldau.protocol.records.batch import (
    TimestampType,
    ensure_checksum,
    iterate_batches,
    read_header,
)
from moldau.protocol.records.record import headers_at, records_block
from moldau.protocol.records.scan import ROW, scan_in_steps

__all__ = ["ConsumerRecord", "records_of"]


class ConsumerRecord(NamedTuple):
    """One record, and where it was."""

    topic: str
    partition: int
    offset: int
    timestamp: int
    """Milliseconds since 1970."""
    key: Any
    """Bytes, or what the deserializer made of them."""
    value: Any
    headers: tuple[tuple[str, bytes | None], ...] = ()
    timestamp_type: int = 0
    """0 set by the producer, 1 by the broker."""
    leader_epoch: int = -1
    delivery_count: int | None = None
    """How often a share group has delivered it; None outside of one."""


def records_of(chunk: Chunk, *, check_checksums: bool) -> Iterator[list[ConsumerRecord]]:
    """The wanted records, batch by batch."""
    for batch in iterate_batches(chunk.records):
        header = read_header(batch)
        if not chunk.wants(header):
            continue
        if check_checksums:
            try:
                ensure_checksum(batch, header)
            except CorruptRecordError as error:
                raise CorruptRecordError(f"{chunk.part}: {error}") from None
        yield list(_records(chunk, batch))


# hot: what a record costs its reader.
def _records(chunk: Chunk, batch: memoryview) -> Iterator[ConsumerRecord]:
    topic, partition = chunk.part
    start, end = chunk.start, chunk.end
    header = read_header(batch)
    block = records_block(batch, header)
    base, epoch, first_time = header.base_offset, header.leader_epoch, header.base_timestamp
    kind = header.timestamp_type
    has_own_times = kind is TimestampType.CREATE
    time = header.max_timestamp
    type_number = int(kind)
    for rows in scan_in_steps(block, header.record_count):
        for row in ROW.iter_unpack(rows):
            offset = base + row[1]
            if offset < start or offset >= end:
                continue
            if has_own_times:
                time = first_time + row[0]
            key = None if row[3] < 0 else block[row[2] : row[2] + row[3]]
            value = None if row[5] < 0 else block[row[4] : row[4] + row[5]]
            headers = headers_at(block, row[6], row[7]) if row[7] else ()
            yield ConsumerRecord(
                topic, partition, offset, time, key, value, headers, type_number, epoch
            )
