"""Several tables from one pass over rows: each takes those that are its own, with its columns.

A writer for each table would make Spark compute the rows once for each of them, or keep them in
memory, and start Python three times for each to plan and to commit. Here the tasks of one job write
the files of all tables and count what they were given, and the driver makes the files a part of one
table after another, each in one step with the note of its batch (transactions.py). So every table
has the batch once, whatever dies in between: a batch that comes again finds the note where it is,
and the rest is done.

Rows may be judged in Python before Spark has seen them (`Early`): in the same job, a task before
the others writes those that are good without doubt, and only what it leaves goes through Spark.

Files carry the name of their pass. Where it fails, those that no log knows are removed when none of
its tasks runs any more: beside a task that has failed others may have ended well, or still may.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import BinaryType, StructField, StructType

from moldau.errors import MoldauError
from moldau.platform.ports.clock import Clock
from moldau.platform.quick_dataclass import dataclass
from moldau.platform.system.randomness import SystemRandom
from moldau.spark.lake.job_tasks import await_tasks, tagged
from moldau.spark.lake.options import LakeOptions
from moldau.spark.lake.parts import Part, PartWriter
from moldau.spark.lake.schemas import arrow_schema, delta_schema
from moldau.spark.lake.splitting import refuse_unfit_columns
from moldau.spark.lake.store import Store
from moldau.spark.lake.transactions import DeltaLog, Write

__all__ = ["Early", "Outcome", "Share", "Tally", "quoted", "read_back", "write_shares"]

NAME_BITS = 96
RESULT, TALLY = "result", "tally"
AS_THEY_ARE = "__globPaths__"
"""Spark's option by which `*` and `[` in a path are letters like others."""
Tally = tuple[str | None, tuple[bool, ...]]
"""What a row has in the column that is tallied, and which tables take it."""
_Done = tuple[Counter[Tally], list[list[Part]]]
"""What a task has counted, and the files of each table."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Early:
    """Rows that go into tables before Spark has looked at them, and what becomes of the others."""

    rows: DataFrame
    """What the tasks get, such as ranges of offsets."""
    schema: StructType
    """Of the records that they make of it."""
    records: Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]
    split: Callable[[pa.RecordBatch], tuple[Mapping[str, pa.Array], pa.RecordBatch]]
    """Columns of the good ones, by the names that shares have for them, and the other records."""
    takes: tuple[bool, ...]
    """Which tables take the good ones."""
    judge: Callable[[DataFrame], DataFrame]
    """What Spark makes of the others."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """A share as tasks need it: its columns and its condition are places in their batches."""

    options: LakeOptions
    schema: pa.Schema
    sources: tuple[str, ...]
    places: tuple[int, ...]
    where: int


def write_shares(
    rows: DataFrame,
    shares: Sequence[Share],
    tally: str,
    clock: Clock,
    early: Early | None = None,
) -> Outcome:
    """Each row into the tables that take it, and how many there are by the column `tally`."""
    sources = list(dict.fromkeys(source for share in shares for source in share.columns.values()))

    def flat(judged: DataFrame, result: Column) -> DataFrame:
        return judged.select(
            *(sql.col(source).alias(f"column {at}") for at, source in enumerate(sources)),
            *(
                sql.coalesce(share.where, sql.lit(False)).alias(_flag(at))
                for at, share in enumerate(shares)
            ),
            sql.col(tally).cast("string").alias(TALLY),
            result.cast("binary").alias(RESULT),
        )

    frame = flat(rows, sql.lit(None))
    types = {source: field.dataType for source, field in zip(sources, frame.schema, strict=False)}
    schemas = [
        StructType([StructField(name, types[source]) for name, source in share.columns.items()])
        for share in shares
    ]
    plans = [
        _Plan(
            share.options,
            _checked(schema, share.options),
            tuple(share.columns.values()),
            tuple(sources.index(source) for source in share.columns.values()),
            len(sources) + at,
        )
        for at, (share, schema) in enumerate(zip(shares, schemas, strict=True))
    ]
    name = f"part-{SystemRandom().randrange(0, 1 << NAME_BITS):024x}"
    if early is not None:
        left = _begun(early, plans, name)
        frame = flat(early.judge(left), sql.col(RESULT))
    return _run(frame, plans, schemas, name, clock)


def _begun(early: Early, plans: Sequence[_Plan], name: str) -> DataFrame:
    """Good rows are in files; what is left are the others, and for each task what it has done."""
    fields = [StructField(each.name, each.dataType) for each in early.schema]
    fields.append(StructField(RESULT, BinaryType()))
    wanted = to_arrow_schema(StructType(fields), timezone="UTC")
    records, split, takes = early.records, early.split, early.takes

    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        writers = [_writer(plan, name) for plan in plans]
        count = 0
        with _abandoned_if_it_fails(writers):
            for batch in records(batches):
                columns, others = split(batch)
                count += batch.num_rows - others.num_rows
                for plan, writer, is_taken in zip(plans, writers, takes, strict=True):
                    if is_taken:
                        writer.write(_named(plan, columns))
                if others.num_rows:
                    yield _with_result(others, [None] * others.num_rows, wanted)
            done: _Done = Counter({(None, takes): count}), [each.close() for each in writers]
            nothing = pa.RecordBatch.from_pylist([{}], schema=wanted)
            yield _with_result(nothing, [pickle.dumps(done)], wanted)

    return early.rows.mapInArrow(task, StructType(fields))


def _named(plan: _Plan, columns: Mapping[str, pa.Array]) -> pa.RecordBatch:
    arrays = [columns[source] for source in plan.sources]
    return pa.RecordBatch.from_arrays(arrays, names=plan.schema.names)


def _with_result(
    rows: pa.RecordBatch, results: Sequence[bytes | None], schema: pa.Schema
) -> pa.RecordBatch:
    columns = [rows.column(name) for name in schema.names if name != RESULT]
    return pa.RecordBatch.from_arrays([*columns, pa.array(results, pa.binary())], schema=schema)


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
    frame: DataFrame,
    plans: Sequence[_Plan],
    schemas: Sequence[StructType],
    name: str,
    clock: Clock,
) -> Outcome:
    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        earlier: list[bytes] = []
        done = _written(_rows_of(batches, earlier), plans, name)
        yield pa.RecordBatch.from_pydict({RESULT: [*earlier, pickle.dumps(done)]})

    context = frame.sparkSession.sparkContext
    try:
        with tagged(context, name):
            found = frame.mapInArrow(task, f"{RESULT} binary").collect()
        done = [pickle.loads(row[RESULT]) for row in found]  # noqa: S301 - of our own tasks
        parts = [[part for _, written in done for part in written[at]] for at in range(len(plans))]
        is_new = [_commit(plan, files, clock) for plan, files in zip(plans, parts, strict=True)]
    except BaseException:
        await_tasks(context, name)
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


def _rows_of(batches: Iterator[pa.RecordBatch], results: list[bytes]) -> Iterator[pa.RecordBatch]:
    """What is a row; what an earlier task has done goes into the list."""
    for batch in batches:
        done = batch.column(RESULT)
        if done.null_count < len(done):
            results += done.drop_null().to_pylist()
            batch = batch.filter(done.is_null())
        yield batch


def _written(batches: Iterator[pa.RecordBatch], plans: Sequence[_Plan], name: str) -> _Done:
    """In a task: all its rows as files, and how many there were of each kind."""
    writers = [_writer(plan, name) for plan in plans]
    counts: Counter[Tally] = Counter()
    with _abandoned_if_it_fails(writers):
        for batch in batches:
            counts.update(_tallied(batch, plans))
            for plan, writer in zip(plans, writers, strict=True):
                writer.write(_chosen(batch, plan))
        return counts, [writer.close() for writer in writers]


@contextmanager
def _abandoned_if_it_fails(writers: Sequence[PartWriter]) -> Iterator[None]:
    try:
        yield
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
