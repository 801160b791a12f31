"""Records as objects, made from the chunks of fetches as they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import repeat
from typing import Any, NamedTuple

from moldau.client.core.consuming.unpacking import RecordColumns
from moldau.client.core.fetching.chunk import Chunk
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


DELTA_MAX = 1 << 32
_made: partial[ConsumerRecord] = partial(tuple.__new__, ConsumerRecord)
"""A record of its fields, all of them, sooner than by its own constructor."""


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
        yield _records(chunk, batch, header)


# hot: no line of Python runs for a record here.
def _records(chunk: Chunk, batch: memoryview, header: BatchHeader) -> list[ConsumerRecord]:
    topic, partition = chunk.part
    base, kind = header.base_offset, header.timestamp_type
    first, end = _within(chunk.start - base), _within(chunk.end - base)
    block = records_block(batch, header)
    columns = RecordColumns()
    for rows in scan_in_steps(block, header.record_count):
        columns.add(block, rows, base, header.base_timestamp, first, end)
    times = columns.timestamps if kind is TimestampType.CREATE else repeat(header.max_timestamp)
    rest = (repeat(int(kind)), repeat(header.leader_epoch), repeat(None))
    place = (repeat(topic), repeat(partition), columns.offsets, times)
    fields = zip(*place, columns.keys, columns.values, columns.headers, *rest, strict=False)
    return list(map(_made, fields))


def _within(delta: int) -> int:
    """As a limit to offset deltas, which have 32 bits."""
    return min(max(delta, -DELTA_MAX), DELTA_MAX)
