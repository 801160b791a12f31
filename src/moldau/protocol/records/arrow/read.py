"""A buffer of record batches, as a fetch or a file brings it, becomes Arrow columns."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from moldau.errors import CorruptRecordError
from moldau.platform.buffers import Buffer
from moldau.protocol.records.arrow.blocks import Block, Blocks, Choice, read_blocks
from moldau.protocol.records.arrow.headers import HeadersColumn
from moldau.protocol.records.arrow.numbers import NumberColumn
from moldau.protocol.records.arrow.runs import Run, iterate_runs
from moldau.protocol.records.arrow.schema import EXTRA_COLUMNS, SCHEMA
from moldau.protocol.records.arrow.straight import SCANNER_IS_COMPILED, read_straight
from moldau.protocol.records.arrow.views import Parts, ViewColumn
from moldau.protocol.records.arrow.walk import (
    KEY_LENGTH,
    KEY_START,
    OFFSET_DELTA,
    TIMESTAMP_DELTA,
    VALUE_LENGTH,
    VALUE_START,
)
from moldau.protocol.records.batch import LOG_APPEND_TIME_BIT, NO_SEQUENCE, TimestampType
from moldau.protocol.records.compression import OUTPUT_BYTES_MAX

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
    to the header: is its transaction aborted? is it before the wanted offset?) rejects.
    """
    blocks = read_blocks(buffer, keep, check_checksums, output_bytes_max)
    extra = [EXTRA_COLUMNS[name] for name in extra_columns]
    straight = read_straight(blocks) if SCANNER_IS_COMPILED and not extra else None
    if straight is not None:
        return pa.record_batch(straight, schema=SCHEMA)
    columns = _Columns(blocks, extra)
    for run in iterate_runs(blocks):
        columns.fill(run)
    return pa.record_batch(columns.finish(), schema=pa.schema([*SCHEMA, *extra]))


class _Columns:
    """All columns in the making."""

    def __init__(self, blocks: Blocks, extra: list[pa.Field]) -> None:
        count = blocks.record_count
        self._buffers = [pa.py_buffer(source) for source in blocks.sources]
        self._sources = [np.frombuffer(source, np.uint8) for source in blocks.sources]
        self._keys = ViewColumn(count)
        self._values = ViewColumn(count)
        self._headers = HeadersColumn(count)
        self._offsets = NumberColumn(SCHEMA.field("offset").type, count)
        self._timestamps = NumberColumn(SCHEMA.field("timestamp").type, count)
        self._timestamp_types = NumberColumn(SCHEMA.field("timestamp_type").type, count)
        self._extra = {field.name: NumberColumn(field.type, count) for field in extra}

    def fill(self, run: Run) -> None:
        rows, first = run.rows, run.first
        sources = run.per_record(lambda block: block.source)
        bases = run.per_record(lambda block: block.base)
        keys = Parts(sources, rows[:, KEY_START] + bases, rows[:, KEY_LENGTH])
        values = Parts(sources, rows[:, VALUE_START] + bases, rows[:, VALUE_LENGTH])
        self._keys.fill(first, self._sources, keys)
        self._values.fill(first, self._sources, values)
        self._headers.fill(run)
        self._offsets.fill(first, _offsets(run))
        types = run.per_record(_timestamp_type)
        self._timestamps.fill(first, _timestamps(run, types))
        self._timestamp_types.fill(first, types)
        for name, column in self._extra.items():
            column.fill(first, _extra(run, name))

    def finish(self) -> list[pa.Array]:
        return [
            self._keys.finish(self._buffers),
            self._values.finish(self._buffers),
            self._headers.finish(self._buffers, self._sources),
            self._offsets.finish(),
            self._timestamps.finish(),
            self._timestamp_types.finish(),
            *(column.finish() for column in self._extra.values()),
        ]


def _offsets(run: Run) -> Integers:
    bases = run.per_record(lambda block: block.header.base_offset)
    return _sum(bases, run.rows[:, OFFSET_DELTA], "offset")


def _timestamps(run: Run, types: Integers) -> Integers:
    """With log-append time, all records have the batch's max timestamp (KIP-32)."""
    deltas = run.rows[:, TIMESTAMP_DELTA]
    if types.any():
        deltas = np.where(types == TimestampType.CREATE, deltas, 0)
    return _sum(run.per_record(_base_timestamp), deltas, "timestamp")


def _base_timestamp(block: Block) -> int:
    header = block.header
    return header.max_timestamp if _timestamp_type(block) else header.base_timestamp


def _timestamp_type(block: Block) -> int:
    """As a plain number: a `TimestampType` for each would cost more than all else per batch."""
    return 1 if block.header.attributes & LOG_APPEND_TIME_BIT else 0


def _sum(bases: Integers, deltas: Integers, name: str) -> Integers:
    numbers = bases + deltas
    if (((bases ^ numbers) & (deltas ^ numbers)) < 0).any():
        raise CorruptRecordError(f"the {name} of a record is beyond 64 bits")
    return numbers


def _extra(run: Run, name: str) -> Integers:
    if name != "sequence":
        return run.per_record(lambda block: getattr(block.header, name))
    base = run.per_record(lambda block: block.header.base_sequence)
    after_base = (base + run.rows[:, OFFSET_DELTA]) & SEQUENCE_MASK
    return np.where(base == NO_SEQUENCE, NO_SEQUENCE, after_base)
