"""A buffer of record batches, as a fetch or a file brings it, becomes Arrow columns."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from moldau.buffers import Buffer
from moldau.errors import CorruptRecordError
from moldau.records.arrow.blocks import Blocks, Choice, read_blocks
from moldau.records.arrow.headers import headers_column
from moldau.records.arrow.schema import EXTRA_COLUMNS, SCHEMA
from moldau.records.arrow.views import Parts, view_array
from moldau.records.arrow.walk import (
    KEY_LENGTH,
    KEY_START,
    OFFSET_DELTA,
    TIMESTAMP_DELTA,
    VALUE_LENGTH,
    VALUE_START,
)
from moldau.records.batch import NO_SEQUENCE, BatchHeader, TimestampType
from moldau.records.compression import OUTPUT_BYTES_MAX

Integers = npt.NDArray[np.int64]

SEQUENCE_MASK = 0x7FFFFFFF


def read_batches(
    buffer: Buffer,
    *,
    keep: Choice | None = None,
    extra_columns: Iterable[str] = (),
    check_checksums: bool = True,
    output_bytes_max: int = OUTPUT_BYTES_MAX,
) -> pa.RecordBatch:
    """All records of all batches in `buffer` as one Arrow record batch of `SCHEMA`.

    Keys and values of plain batches are views on `buffer`, which must not change while they live;
    those of compressed ones are views on what came out, `output_bytes_max` in all. A batch that
    is cut off at the end is left out, as are control batches, and those that `keep` (a question
    to the header: is its transaction aborted? is it before the wanted offset?) does not want.
    """
    blocks = read_blocks(buffer, keep, check_checksums, output_bytes_max)
    rows = blocks.rows()
    buffers = [pa.py_buffer(source) for source in blocks.sources]
    sources = blocks.per_record([block.source for block in blocks.blocks])
    bases = blocks.per_record([block.base for block in blocks.blocks])
    extra = list(extra_columns)
    columns = [
        view_array(buffers, Parts(sources, rows[:, KEY_START] + bases, rows[:, KEY_LENGTH])),
        view_array(buffers, Parts(sources, rows[:, VALUE_START] + bases, rows[:, VALUE_LENGTH])),
        headers_column(blocks, rows, buffers),
        pa.array(_offsets(blocks, rows)),
        pa.array(_timestamps(blocks, rows)).cast(SCHEMA.field("timestamp").type),
        pa.array(blocks.per_record(_timestamp_types(blocks)).astype(np.int32)),
        *(_extra_column(name, blocks, rows) for name in extra),
    ]
    return pa.record_batch(columns, schema=pa.schema([*SCHEMA, *(EXTRA_COLUMNS[n] for n in extra)]))


def _offsets(blocks: Blocks, rows: Integers) -> Integers:
    bases = blocks.per_record([block.header.base_offset for block in blocks.blocks])
    return _sum(bases, rows[:, OFFSET_DELTA], "offset")


def _timestamps(blocks: Blocks, rows: Integers) -> Integers:
    """With log-append time, all records have the batch's max timestamp (KIP-32)."""
    headers = [block.header for block in blocks.blocks]
    bases = blocks.per_record([_base_timestamp(header) for header in headers])
    deltas = rows[:, TIMESTAMP_DELTA]
    if any(_timestamp_types(blocks)):
        deltas = np.where(blocks.per_record(_timestamp_types(blocks)) == 0, deltas, 0)
    return _sum(bases, deltas, "timestamp")


def _base_timestamp(header: BatchHeader) -> int:
    if header.timestamp_type is TimestampType.LOG_APPEND:
        return header.max_timestamp
    return header.base_timestamp


def _timestamp_types(blocks: Blocks) -> list[int]:
    return [block.header.timestamp_type for block in blocks.blocks]


def _sum(bases: Integers, deltas: Integers, name: str) -> Integers:
    numbers = bases + deltas
    if (((bases ^ numbers) & (deltas ^ numbers)) < 0).any():
        raise CorruptRecordError(f"the {name} of a record is beyond 64 bits")
    return numbers


def _extra_column(name: str, blocks: Blocks, rows: Integers) -> pa.Array:
    numbers = blocks.per_record([_extra(block.header, name) for block in blocks.blocks])
    if name == "sequence":
        after_base = (numbers + rows[:, OFFSET_DELTA]) & SEQUENCE_MASK
        numbers = np.where(numbers == NO_SEQUENCE, NO_SEQUENCE, after_base)
    return pa.array(numbers).cast(EXTRA_COLUMNS[name].type)


def _extra(header: BatchHeader, name: str) -> int:
    number: int = getattr(header, "base_sequence" if name == "sequence" else name)
    return number
