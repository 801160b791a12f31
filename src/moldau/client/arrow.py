"""Chunks as Arrow record batches, with the columns of Spark's Kafka source.

Only the columns that were asked for are made; topic and partition say the same for every record,
and cost a few bytes for each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from moldau.client.core.fetching.chunk import Chunk
from moldau.records.arrow import read_batches

__all__ = ["COLUMNS", "decode_chunk", "schema_of"]

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
DECODED = {"timestampType": "timestamp_type"}
"""Columns that `records.arrow` calls by another name."""


def schema_of(columns: Sequence[str]) -> pa.Schema:
    return pa.schema([FIELDS[name] for name in columns])


def decode_chunk(chunk: Chunk, columns: Sequence[str], *, check_checksums: bool) -> pa.RecordBatch:
    """The wanted records of the chunk."""
    decoded = read_batches(chunk.records, keep=chunk.wants, check_checksums=check_checksums)
    decoded = _cut(decoded, chunk)
    if not columns:
        return decoded.select([])
    arrays = [_column(decoded, chunk, name) for name in columns]
    return pa.record_batch(arrays, schema=schema_of(columns))


def _cut(decoded: pa.RecordBatch, chunk: Chunk) -> pa.RecordBatch:
    """Without what the first batch holds before the start, and the last one beyond the end."""
    offsets = decoded.column("offset").to_numpy()
    first, last = np.searchsorted(offsets, [chunk.start, chunk.end]).tolist()
    return decoded.slice(first, last - first)


def _column(decoded: pa.RecordBatch, chunk: Chunk, name: str) -> pa.Array:
    field = FIELDS[name]
    constant: dict[str, Callable[[], object]] = {
        "topic": lambda: chunk.part.topic,
        "partition": lambda: chunk.part.partition,
    }
    if name in constant:
        return pa.repeat(pa.scalar(constant[name](), field.type), decoded.num_rows)
    return decoded.column(DECODED.get(name, name)).cast(field.type)
