"""Records as objects, made from the chunks of fetches as they are asked for."""

from __future__ import annotations

from collections.abc import Iterator

from moldau.client.core.consuming.record import ConsumerRecord
from moldau.client.core.consuming.unpacking import Origin
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.errors import UnreadableRecordError
from moldau.errors import CorruptRecordError
from moldau.protocol.records.batch import (
    BatchHeader,
    TimestampType,
    ensure_checksum,
    iterate_batches,
    read_header,
)
from moldau.protocol.records.record import records_block
from moldau.protocol.records.scan import scan_in_steps

__all__ = ["ConsumerRecord", "records_of", "unreadable"]

ConsumerRecord.__doc__ = "One record, and where it was."  # a compiled class has none of its own


DELTA_MAX = 1 << 32


def records_of(chunk: Chunk, *, check_checksums: bool) -> Iterator[list[ConsumerRecord]]:
    """The wanted records, batch by batch."""
    for batch in iterate_batches(chunk.records):
        header = read_header(batch)
        if not chunk.wants(header):
            continue
        try:
            if check_checksums:
                ensure_checksum(batch, header)
            found = _records(chunk, batch, header)
        except CorruptRecordError as error:
            raise unreadable(chunk, header, error) from error
        yield found


def unreadable(
    chunk: Chunk, header: BatchHeader, error: CorruptRecordError
) -> UnreadableRecordError:
    """The error for a batch that is spoiled."""
    first = max(header.base_offset, chunk.start)
    return UnreadableRecordError(chunk.part, first, header.next_offset, error)


def _records(chunk: Chunk, batch: memoryview, header: BatchHeader) -> list[ConsumerRecord]:
    base, kind = header.base_offset, header.timestamp_type
    time = header.base_timestamp if kind is TimestampType.CREATE else header.max_timestamp
    first, end = _within(chunk.start - base), _within(chunk.end - base)
    origin = Origin(*chunk.part, base, time, int(kind), header.leader_epoch, first, end)
    block = records_block(batch, header)
    found: list[ConsumerRecord] = []
    for rows in scan_in_steps(block, header.record_count):
        origin.unpack(block, rows, found)
    return found


def _within(delta: int) -> int:
    """As a limit to offset deltas, which have 32 bits."""
    return min(max(delta, -DELTA_MAX), DELTA_MAX)
