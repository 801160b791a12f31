"""Small tables for tests, and a writer that does what a query does, without Spark."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from moldau.platform.system.clock import SystemClock
from moldau.spark.lake.delta import write_parts
from moldau.spark.lake.growing import DeltaStream
from moldau.spark.lake.options import LakeOptions, ReadingOptions, lake_options, reading_options
from moldau.spark.lake.parts import Part
from moldau.spark.lake.reading import DeltaReader, table_schema
from moldau.spark.lake.schemas import relaxed
from moldau.spark.lake.transactions import DeltaLog, Write, open_table


def options_for(path, **given: str) -> LakeOptions:
    return lake_options({"path": str(path), **given})


def write_files(options: LakeOptions, batch: pa.RecordBatch) -> list[Part]:
    """What the tasks of a batch leave behind."""
    return write_parts(options, relaxed(batch.schema), iter([batch]))


def commit(options: LakeOptions, batch: pa.RecordBatch, parts: list[Part], **given) -> bool:
    """What the driver does with it."""
    write = Write(parts=parts, schema=relaxed(batch.schema), **given)
    return DeltaLog(options, SystemClock()).commit(write)


def add(options: LakeOptions, batch: pa.RecordBatch, **given) -> bool:
    """A whole batch, as a query adds it."""
    return commit(options, batch, write_files(options, batch), **given)


def rows_of(path) -> list[dict[str, Any]]:
    """All rows, in no order that means anything."""
    table = open_table(str(path), {})
    return [] if table is None else table.to_pyarrow_table().to_pylist()


def files_under(path) -> list[str]:
    """The Parquet files that lie there, whether the table knows them or not."""
    return sorted(found.relative_to(path).as_posix() for found in path.rglob("*.parquet"))


def numbers(*values: int, **columns) -> pa.RecordBatch:
    """A batch with a column `number`, and whatever else."""
    return pa.record_batch({"number": pa.array(values, pa.int64()), **columns})


def batch(*numbers, **more) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"number": list(numbers), **more})


def asked_for(path, *, streaming: bool = False, **given: str) -> ReadingOptions:
    return reading_options({"path": str(path), **given}, streaming=streaming)


def rows_in(reader, partitions) -> list[dict[str, Any]]:
    """What the tasks of a plan read."""
    return [row for part in partitions for rows in reader.read(part) for row in rows.to_pylist()]


def read(path, **given: str) -> list[dict[str, Any]]:
    asked = asked_for(path, streaming=False, **given)
    reader = DeltaReader(asked, table_schema(asked))
    return sorted(rows_in(reader, reader.partitions()), key=repr)


def stream_of(path, **given: str) -> DeltaStream:
    asked = asked_for(path, streaming=True, **given)
    return DeltaStream(asked, table_schema(asked_for(path)))
