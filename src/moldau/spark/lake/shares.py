"""Several tables from one pass over rows: each takes those that are its own, with its columns.

A writer for each table would make Spark compute the rows once for each of them, or keep them in
memory, and start Python three times for each to plan and to commit. Here the tasks of one job write
the files of all tables and count what they were given, and the driver makes the files a part of one
table after another, each in one step with the note of its batch (transactions.py). So every table
has the batch once, whatever dies in between: a batch that comes again finds the note where it is,
and the rest is done.

Files carry the name of their pass. Where it fails, those that no log knows are removed by it: after
a task that has failed others may have ended well.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.types import StructField, StructType

from moldau.errors import MoldauError
from moldau.platform.ports.clock import Clock
from moldau.platform.quick_dataclass import dataclass
from moldau.platform.system.randomness import SystemRandom
from moldau.spark.lake.options import LakeOptions
from moldau.spark.lake.parts import Part, PartWriter
from moldau.spark.lake.schemas import arrow_schema, delta_schema
from moldau.spark.lake.splitting import refuse_unfit_columns
from moldau.spark.lake.store import Store
from moldau.spark.lake.transactions import DeltaLog, Write

__all__ = ["Outcome", "Share", "Tally", "quoted", "read_back", "write_shares"]

NAME_BITS = 96
RESULT, TALLY = "result", "tally"
AS_THEY_ARE = "__globPaths__"
"""Spark's option by which `*` and `[` in a path are letters like others."""
Tally = tuple[str | None, tuple[bool, ...]]
"""What a row has in the column that is tallied, and which tables take it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one table takes of the rows."""

    options: LakeOptions
    where: Column
    columns: Mapping[str, str]
    """A table's column → that of the rows, or a field of one, as Spark's SQL writes it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a pass has done."""

    counts: Counter[Tally]
    """How many rows there were of each kind."""
    parts: Sequence[Sequence[Part]]
    """The files of each table."""
    schemas: Sequence[StructType]
    is_new: Sequence[bool]
    """Whether the table has these files; if not it had the batch before, and they are gone."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """A share as tasks need it: its columns and its condition are places in their batches."""

    options: LakeOptions
    schema: pa.Schema
    places: tuple[int, ...]
    where: int


def write_shares(rows: DataFrame, shares: Sequence[Share], tally: str, clock: Clock) -> Outcome:
    """Each row into the tables that take it, and how many there are by the column `tally`."""
    sources = list(dict.fromkeys(source for share in shares for source in share.columns.values()))
    frame = rows.select(
        *(sql.col(source).alias(f"column {at}") for at, source in enumerate(sources)),
        *(
            sql.coalesce(share.where, sql.lit(False)).alias(_flag(at))
            for at, share in enumerate(shares)
        ),
        sql.col(tally).cast("string").alias(TALLY),
    )
    types = {source: field.dataType for source, field in zip(sources, frame.schema, strict=False)}
    schemas = [
        StructType([StructField(name, types[source]) for name, source in share.columns.items()])
        for share in shares
    ]
    plans = [
        _Plan(
            share.options,
            _checked(schema, share.options),
            tuple(sources.index(source) for source in share.columns.values()),
            len(sources) + at,
        )
        for at, (share, schema) in enumerate(zip(shares, schemas, strict=True))
    ]
    return _run(frame, plans, schemas, clock)


def _flag(at: int) -> str:
    """The column with whether a row is of this share."""
    return f"is in {at}"


def _checked(schema: StructType, options: LakeOptions) -> pa.Schema:
    """What can be refused before the first row is read."""
    found = arrow_schema(schema)
    refuse_unfit_columns(found, options.partition_by)
    delta_schema(found)
    return found


def _run(
    frame: DataFrame, plans: Sequence[_Plan], schemas: Sequence[StructType], clock: Clock
) -> Outcome:
    name = f"part-{SystemRandom().randrange(0, 1 << NAME_BITS):024x}"

    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        done = _written(batches, plans, name)
        yield pa.RecordBatch.from_pydict({RESULT: [pickle.dumps(done)]})

    try:
        found = frame.mapInArrow(task, f"{RESULT} binary").collect()
        done = [pickle.loads(row[RESULT]) for row in found]  # noqa: S301 - of our own tasks
        parts = [[part for _, written in done for part in written[at]] for at in range(len(plans))]
        is_new = [_commit(plan, files, clock) for plan, files in zip(plans, parts, strict=True)]
    except BaseException:
        for plan in plans:
            with suppress(MoldauError):  # what cannot be removed is left to vacuum
                _sweep(plan.options, name, clock)
        raise
    counts: Counter[Tally] = Counter()
    for tallied, _ in done:
        counts.update(tallied)
    return Outcome(counts, parts, schemas, is_new)


def _commit(plan: _Plan, parts: Sequence[Part], clock: Clock) -> bool:
    options = plan.options
    write = Write(
        parts=parts,
        schema=plan.schema,
        application=options.application,
        version=options.version or 0,
    )
    return DeltaLog(options, clock).commit(write)


def _sweep(options: LakeOptions, name: str, clock: Clock) -> None:
    """Remove the files of a pass that has failed, but those that a table has already."""
    left = Store(options.path, options.storage).named(name)
    if left:
        DeltaLog(options, clock).remove_unknown(left)


def _written(
    batches: Iterator[pa.RecordBatch], plans: Sequence[_Plan], name: str
) -> tuple[Counter[Tally], list[list[Part]]]:
    """In a task: all its rows as files, and how many there were of each kind."""
    writers = [_writer(plan, name) for plan in plans]
    counts: Counter[Tally] = Counter()
    try:
        for batch in batches:
            counts.update(_tallied(batch, plans))
            for plan, writer in zip(plans, writers, strict=True):
                writer.write(_chosen(batch, plan))
        return counts, [writer.close() for writer in writers]
    except BaseException:
        for writer in writers:
            writer.abandon()
        raise


def _writer(plan: _Plan, name: str) -> PartWriter:
    options = plan.options

    def new_name() -> str:
        return f"{name}-{SystemRandom().randrange(0, 1 << NAME_BITS):024x}"

    return PartWriter(
        Store(options.path, options.storage),
        plan.schema,
        options.partition_by,
        file_size=options.file_size,
        compression=options.compression,
        new_name=new_name,
    )


def _chosen(batch: pa.RecordBatch, plan: _Plan) -> pa.RecordBatch:
    where = batch.column(plan.where)
    columns = [batch.column(place) for place in plan.places]
    rows = pa.RecordBatch.from_arrays(columns, names=plan.schema.names)
    return rows if where.true_count == len(where) else rows.filter(where)


def _tallied(batch: pa.RecordBatch, plans: Sequence[_Plan]) -> Counter[Tally]:
    """One pass over a column of few values and as many flags as there are tables."""
    names = [TALLY, *(_flag(at) for at in range(len(plans)))]
    rows = pa.Table.from_batches([batch.select(names)])
    found = rows.group_by(names).aggregate([([], "count_all")])
    return Counter(
        {
            (row[TALLY], tuple(row[name] for name in names[1:])): row["count_all"]
            for row in found.to_pylist()
        }
    )


def read_back(rows: DataFrame, outcome: Outcome, at: int, options: LakeOptions) -> DataFrame | None:
    """The rows that one table took, from its files, for what is made of them.

    Spark reads Parquet by columns, and only those that are asked for, so this is cheaper than to
    keep them. None where it cannot: where an earlier run of the batch wrote them, or where they
    lie in a store that Spark has no client for.
    """
    spark, schema = rows.sparkSession, outcome.schemas[at]
    if not outcome.is_new[at] or not Store(options.path, options.storage).is_local:
        return None
    paths = [f"{options.path}/{part.path}" for part in outcome.parts[at]]
    if not paths:
        return spark.createDataFrame([], schema)
    reader = spark.read.schema(schema).option("basePath", options.path).option(AS_THEY_ARE, "false")
    found = reader.parquet(*paths)
    return found.select(*(sql.col(quoted(name)) for name in schema.names))


def quoted(name: str) -> str:
    """A column's name as Spark's SQL writes it, whatever letters it has."""
    return "`" + name.replace("`", "``") + "`"
