"""Chunks as Arrow record batches, with the columns of Spark's Kafka source.

Only the columns that were asked for are made; topic and partition say the same for every record,
and cost a few bytes for each.

Some of pyarrow's functions (`array`, `scalar`, `to_numpy`) import all of pandas where that is
installed, before they look at what they are given. None is used on the way of a reader: a worker of
Spark would pay for it more than for its first hundred thousand records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from moldau.client.core.consuming.records import unreadable
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.errors import UnknownColumnError
from moldau.errors import CorruptRecordError
from moldau.protocol.records.arrow import read_batches
from moldau.protocol.records.batch import iterate_batches, read_header
from moldau.protocol.records.compression import OUTPUT_BYTES_MAX

__all__ = ["COLUMNS", "ChunkDecoder", "schema_of", "stream_of", "table_of"]

FIELDS = {
    "key": pa.field("key", pa.binary()),
    "value": pa.field("value", pa.binary()),
    "topic": pa.field("topic", pa.string()),
    "partition": pa.field("partition", pa.int32()),
    "offset": pa.field("offset", pa.int64()),
    "timestamp": pa.field("timestamp", pa.timestamp("us", tz="UTC")),
    "timestampType": pa.field("timestampType", pa.int32()),
    "headers": pa.field(
        "headers", pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())]))
    ),
}
COLUMNS = tuple(FIELDS)
RUN_BYTES_MAX = 0x7FFFFFFF
UNFOLDED_BYTES_MAX = 64 * 1024 * 1024
"""What compressed batches may become for one record batch: a reader's memory is not the broker's.
A single batch may become more, as much as anywhere else."""
ROWS_MAX = 1_000_000
"""Of a record batch: many empty records unfold from little, and each repeats its topic's name."""
DECODED = {"timestampType": "timestamp_type"}
"""Columns that `records.arrow` calls by another name."""


def schema_of(columns: Sequence[str]) -> pa.Schema:
    return pa.schema([FIELDS[name] for name in columns])


def table_of(batches: Iterable[pa.RecordBatch], columns: Sequence[str]) -> pa.Table:
    """One table of all, which copies none of them."""
    return pa.Table.from_batches(list(batches), schema_of(columns))


def stream_of(batches: Iterable[pa.RecordBatch], columns: Sequence[str]) -> bytes:
    """As a stream of Arrow's interprocess format."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema_of(columns)) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return bytes(sink.getvalue())


class ChunkDecoder:
    """Makes record batches of a reading's chunks: one of each, unless it unfolds to too much."""

    def __init__(self, columns: Sequence[str], *, check_checksums: bool) -> None:
        unknown = [name for name in columns if name not in FIELDS]
        if unknown:
            raise UnknownColumnError(unknown[0], FIELDS)
        self._columns = columns
        self._check_checksums = check_checksums
        self._run_bytes = RUN_BYTES_MAX

    @staticmethod
    def range_of(batch: pa.RecordBatch) -> tuple[int, int]:
        """The offset of its first record, and the one after its last."""
        offsets = _numbers(batch.column("offset"))
        return int(offsets[0]), int(offsets[-1]) + 1

    def decode_all(self, chunk: Chunk) -> list[pa.RecordBatch]:
        """The same at once, for a thread beside a loop."""
        return list(self.decode(chunk))

    def decode(self, chunk: Chunk) -> Iterator[pa.RecordBatch]:
        """The wanted records of the chunk; batches without any are left out."""
        left = chunk.records
        while run := _run(left, self._run_bytes):
            decoded = self._read(chunk, run)
            if decoded is None:
                self._run_bytes = len(run) // 2
                continue
            left = left[len(run) :]
            decoded = _cut(decoded, chunk)
            for first in range(0, decoded.num_rows, ROWS_MAX):
                yield self._finish(chunk, decoded.slice(first, ROWS_MAX))

    def _read(self, chunk: Chunk, run: memoryview) -> pa.RecordBatch | None:
        """None where only some of it at a time has room, or is sound."""
        is_one = len(next(iterate_batches(run))) == len(run)
        room = OUTPUT_BYTES_MAX if is_one else UNFOLDED_BYTES_MAX
        try:
            return read_batches(
                run,
                keep=chunk.wants,
                check_checksums=self._check_checksums,
                output_bytes_max=room,
            )
        except CorruptRecordError as error:
            if is_one:
                raise unreadable(chunk, read_header(run), error) from error
            return None

    def _finish(self, chunk: Chunk, decoded: pa.RecordBatch) -> pa.RecordBatch:
        if not self._columns:
            return decoded.select([])
        arrays = [_column(decoded, chunk, name) for name in self._columns]
        return pa.record_batch(arrays, schema=schema_of(self._columns))


def _run(records: memoryview, size_max: int) -> memoryview:
    """Whole batches from the front, at least one where there is one, within `size_max` bytes."""
    end = 0
    for batch in iterate_batches(records):
        if end and end + len(batch) > size_max:
            break
        end += len(batch)
    return records[:end]


def _cut(decoded: pa.RecordBatch, chunk: Chunk) -> pa.RecordBatch:
    """Without what the first batch holds before the start, and the last one beyond the end."""
    offsets = _numbers(decoded.column("offset"))
    first, last = np.searchsorted(offsets, [chunk.start, chunk.end]).tolist()
    return decoded.slice(first, last - first)


def _numbers(column: pa.Array) -> np.ndarray[Any, np.dtype[np.int64]]:
    _, numbers = column.buffers()
    return np.frombuffer(numbers, np.int64)[column.offset :][: len(column)]


def _column(decoded: pa.RecordBatch, chunk: Chunk, name: str) -> pa.Array:
    if name == "topic":
        return _topics(chunk.part.topic, decoded.num_rows)
    if name == "partition":
        numbers = pa.py_buffer(np.full(decoded.num_rows, chunk.part.partition, np.int32))
        return pa.Array.from_buffers(FIELDS[name].type, decoded.num_rows, [None, numbers])
    return decoded.column(DECODED.get(name, name)).cast(FIELDS[name].type)


def _topics(topic: str, count: int) -> pa.Array:
    """The same name again and again."""
    octets = topic.encode()
    starts = np.arange(0, (count + 1) * len(octets), len(octets), dtype=np.int32)
    buffers = [None, pa.py_buffer(starts), pa.py_buffer(octets * count)]
    return pa.Array.from_buffers(FIELDS["topic"].type, count, buffers)
