"""Arrow columns become record batches, packed without an object per record.

First the records are cut into batches that stay within a size, by an estimate that is never too
low. Then a run of them is packed (`pack`). The rest is a header and a checksum per batch.

Offsets count from 0 in each batch, as a producer has to send them; sequences go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pyarrow as pa

from moldau.errors import EncodeError
from moldau.protocol.records.arrow.columns import Columns, read_columns
from moldau.protocol.records.arrow.pack import Bounds, pack_blocks, payload_sizes
from moldau.protocol.records.arrow.varints import Integers, varint_sizes
from moldau.protocol.records.batch import HEADER_SIZE, NO_SEQUENCE, NO_TIMESTAMP
from moldau.protocol.records.builder import BatchFields, assemble_batch, blank_header

SEQUENCE_MASK = 0x7FFFFFFF
RECORD_SIZE_MAX = 0x7FFFFFFF
RUN_BYTES = 1 << 20
"""How much is packed at once: what fits a processor's cache is packed twice as fast."""


class RecordSizeError(EncodeError):
    """One record alone is larger than a batch may be."""

    def __init__(self, reason: str, size: int) -> None:
        super().__init__(reason)
        self.size = size


def write_batches(
    table: pa.RecordBatch | pa.Table,
    *,
    size_max: int,
    fields: BatchFields | None = None,
    now_ms: int = NO_TIMESTAMP,
) -> list[bytearray]:
    """Batches of at most `size_max` bytes each, with the records of `table` in their order.

    Columns: `key`, `value`, `headers`, `timestamp`; each may be missing, others do not matter. A
    record without a timestamp has `now_ms`. `fields` has the codec, its level and the producer;
    batches are filled as if nothing were compressed. One record too large is a
    `RecordSizeError`, and columns that are no records are an `EncodeError`.
    """
    columns = read_columns(table, now_ms)
    if not len(columns):
        return []
    starts = cut(_size_bounds(columns, size_max), size_max - HEADER_SIZE)
    bounds = list(zip(starts, [*starts[1:], len(columns)], strict=True))
    run = max(1, RUN_BYTES // size_max)
    batches: list[bytearray] = []
    for first in range(0, len(bounds), run):
        chosen = bounds[first : first + run]
        batches += _write_run(columns, chosen, size_max, fields or BatchFields())
    return batches


def cut(sizes: Integers, room: int) -> list[int]:
    """Where batches begin, so that sizes in each add up to `room` at most, or it has only one."""
    ends = np.cumsum(sizes)
    starts = [0]
    before = 0
    while True:
        end = max(int(ends.searchsorted(before + room, side="right")), starts[-1] + 1)
        if end == len(sizes):
            return starts
        starts.append(end)
        before = int(ends[end - 1])


def _size_bounds(columns: Columns, size_max: int) -> Integers:
    """At least what each record takes in whichever batch; refuses those that fit in none."""
    bodies = payload_sizes(columns)
    alone = bodies + 2
    alone += varint_sizes(alone)
    if int(np.max(alone)) > min(size_max - HEADER_SIZE, RECORD_SIZE_MAX):
        index = int(np.argmax(alone))
        raise RecordSizeError(
            f"record {index} takes {alone[index]} bytes: a batch of {size_max} has no room for it",
            int(alone[index]),
        )
    spread = int(np.max(columns.timestamps)) - int(np.min(columns.timestamps))
    if spread > np.iinfo(np.int64).max:
        raise EncodeError("the timestamps of the records are further apart than 64 bits can hold")
    offset_delta_max = min(len(columns), size_max // int(np.min(alone)))
    bodies += int(varint_sizes(np.array([-spread, offset_delta_max])).sum())
    return bodies + varint_sizes(bodies)


def _write_run(
    columns: Columns, bounds: Bounds, size_max: int, fields: BatchFields
) -> Iterator[bytearray]:
    """What no codec can shrink grows a little in it: then two batches take what one should."""
    for (start, end), block in zip(bounds, pack_blocks(columns, bounds), strict=True):
        batch = _assemble(block, columns.timestamps[start:end], _at(fields, start))
        if len(batch) <= size_max:
            yield batch
        elif end - start == 1:
            raise RecordSizeError(
                f"record {start} compresses to more than a batch of {size_max} bytes", len(batch)
            )
        else:
            middle = (start + end) // 2
            yield from _write_run(columns, [(start, middle)], size_max, fields)
            yield from _write_run(columns, [(middle, end)], size_max, fields)


def _at(fields: BatchFields, index: int) -> BatchFields:
    """The header fields of a batch whose first record is the one at `index`."""
    if fields.base_sequence == NO_SEQUENCE:
        return fields
    return replace(fields, base_sequence=(fields.base_sequence + index) & SEQUENCE_MASK)


def _assemble(block: bytes, timestamps: Integers, fields: BatchFields) -> bytearray:
    header = blank_header(
        fields,
        base_timestamp=int(timestamps[0]),
        max_timestamp=int(np.max(timestamps)),
        record_count=len(timestamps),
        last_offset_delta=len(timestamps) - 1,
    )
    return assemble_batch(header, block, fields.level)
