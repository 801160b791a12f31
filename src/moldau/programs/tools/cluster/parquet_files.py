"""Records as Parquet: columns of Arrow on both sides, and no object per record."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from moldau.client import TopicPartition
from moldau.errors import MoldauError
from moldau.platform.system.system_file import translated

if TYPE_CHECKING:
    from moldau.client import Consumer, Producer

__all__ = ["count", "export", "import_into"]

POLL_S = 1.0
ROWS = 65_536
CODEC = "zstd"
SENT = ("key", "value", "partition", "timestamp", "headers")


def export(consumer: Consumer, ends: Mapping[TopicPartition, int], path: str) -> int:
    """What is assigned, up to these ends; how many rows."""
    try:
        return _export(consumer, ends, path)
    except OSError as error:
        raise translated(path, error) from None


def _export(consumer: Consumer, ends: Mapping[TopicPartition, int], path: str) -> int:
    count = 0
    writer: pq.ParquetWriter | None = None
    try:
        while any(consumer.position(part) < end for part, end in ends.items()):
            for batch in consumer.arrow(POLL_S):
                kept = _up_to(batch, ends)
                writer = writer or pq.ParquetWriter(path, kept.schema, compression=CODEC)
                writer.write_batch(kept)
                count += kept.num_rows
                if all(consumer.position(part) >= end for part, end in ends.items()):
                    break
    finally:
        if writer is not None:
            writer.close()
    if writer is None:
        raise MoldauError("there are no records to export, so no file was written")
    return count


def _up_to(batch: pa.RecordBatch, ends: Mapping[TopicPartition, int]) -> pa.RecordBatch:
    """A batch is of one partition."""
    part = TopicPartition(batch["topic"][0].as_py(), batch["partition"][0].as_py())
    return batch.filter(pc.less(batch["offset"], ends[part])) if batch.num_rows else batch


def import_into(producer: Producer, topic: str, path: str, *, by_key: bool) -> int:
    """How many rows were sent."""
    left_out = {"partition"} if by_key else set()
    with _reading(path):
        batches = _batches(path, left_out)
        return sum(producer.send_arrow(topic, batch).result() for batch in batches)


def count(path: str) -> int:
    """How many rows there are; each page is read, and so it is known that it can be."""
    with _reading(path):
        return sum(batch.num_rows for batch in _batches(path, set()))


def _batches(path: str, left_out: Container[str]) -> Iterator[pa.RecordBatch]:
    file = pq.ParquetFile(path)
    names = set(file.schema_arrow.names)
    if "value" not in names:
        raise MoldauError(f"{path} has no column value, but {', '.join(sorted(names))}")
    columns = [name for name in SENT if name in names and name not in left_out]
    yield from file.iter_batches(ROWS, columns=columns)


@contextmanager
def _reading(path: str) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowInvalid, OSError) as error:
        raise MoldauError(f"{path} cannot be read as Parquet: {error}") from None
