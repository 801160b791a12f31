"""Small tables for tests, and a writer that does what a query does, without Spark."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from moldau.platform.system.clock import SystemClock
from moldau.spark.lake.delta import write_parts
from moldau.spark.lake.options import LakeOptions, lake_options
from moldau.spark.lake.parts import Part
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
