"""Runs a declared pipeline: batches into the usual tables, then step by step into its sinks.

Before the first batch all steps are put together over rows that are empty, where the columns are
known: a name that is wrong, or a column that a sink lacks, is one sentence then, and not a batch
that fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql
from pyspark.sql.types import StructType

from moldau.programs.pipelines.batch import Batch
from moldau.programs.pipelines.declared import RECORDS, Declared, Mode, Sink, Step
from moldau.programs.pipelines.errors import PipelineError
from moldau.programs.pipelines.job import Job, why
from moldau.programs.pipelines.landing import ensure_columns, land_topic, land_values
from moldau.programs.pipelines.landing_settings import LandingSettings
from moldau.programs.pipelines.parsing import read_schema
from moldau.programs.pipelines.reconciliation import Counts

__all__ = ["Functions", "ensure_steps", "frames_of", "run_declared"]

Functions = Mapping[str, Callable[[DataFrame], DataFrame]]
"""By the names of the steps in Python."""
PLACE = "_topic string, _partition int, _offset bigint, _timestamp timestamp, _key binary"


def run_declared(
    declared: Declared, functions: Functions, job: Job, settings: LandingSettings
) -> None:
    """Until it is interrupted, or all that is available is read."""
    ensure_columns(settings)
    ensure_steps(declared, functions, job.spark, settings)

    def land(records: DataFrame, batch: Batch, settings: LandingSettings) -> Counts:
        return land_values(
            records, batch, settings, lambda silver: _sink(silver, batch, declared, functions)
        )

    records, looks_twice = job.ranges(settings.batch_size), not settings.schema
    land_topic(job, records, land, settings, keeps_records=looks_twice)


def ensure_steps(
    declared: Declared, functions: Functions, spark: SparkSession, settings: LandingSettings
) -> None:
    """Return if all steps fit together, as far as columns are known before the first batch."""
    if not settings.schema and settings.form != "raw":
        return
    columns = "value binary" if settings.form == "raw" else settings.schema
    schema = StructType([*read_schema(PLACE).fields, *read_schema(columns).fields])
    frames = frames_of(declared, functions, spark.createDataFrame([], schema))
    for sink in declared.sinks:
        for name in (*sink.keys, *sink.partition_by.split(","), sink.key):
            if name and name not in frames[sink.rows].columns:
                known = ", ".join(frames[sink.rows].columns)
                raise PipelineError(
                    f"{declared.path}: a sink names the column {name}, and {sink.rows} has {known}"
                )


def frames_of(declared: Declared, functions: Functions, records: DataFrame) -> dict[str, DataFrame]:
    """The rows of each step, by its name."""
    frames = {RECORDS: records}
    spark = records.sparkSession
    for step in declared.steps:
        try:
            frames[step.name] = _frame(step, functions, frames, spark)
        except PySparkException as error:
            text = f"{declared.path}: the step {step.name} fails: {why(error)}"
            raise PipelineError(text) from error
    return frames


def _frame(
    step: Step, functions: Functions, frames: Mapping[str, DataFrame], spark: SparkSession
) -> DataFrame:
    if step.file:
        made = functions[step.name](frames[step.inputs[0]])
        if not isinstance(made, DataFrame):
            raise PipelineError(f"{step.file}:{step.function} returned no frame, but {made!r}")
        return made
    for name in step.inputs:
        frames[name].createOrReplaceTempView(name)
    return spark.sql(step.sql)


def _sink(silver: DataFrame, batch: Batch, declared: Declared, functions: Functions) -> None:
    frames = frames_of(declared, functions, silver)
    kept = [frames[name].persist() for name in _read_twice(declared)]
    for sink in declared.sinks:
        _write(sink, frames[sink.rows], batch)
    for frame in kept:
        frame.unpersist()


def _read_twice(declared: Declared) -> list[str]:
    """Steps whose rows several sinks take: they are computed once."""
    counts = Counter(sink.rows for sink in declared.sinks)
    return [step.name for step in declared.steps if counts[step.name] > 1]


def _write(sink: Sink, rows: DataFrame, batch: Batch) -> None:
    if sink.topic:
        batch.send(sink.topic, _as_records(sink, rows))
    elif sink.mode is Mode.ADD:
        batch.add_up(sink.table, rows, sink.keys)
    elif sink.mode is Mode.REPLACE:
        batch.replace(sink.table, rows, sink.keys)
    else:
        batch.append(sink.table, rows, sink.partition_by)


def _as_records(sink: Sink, rows: DataFrame) -> DataFrame:
    """Rows that have a `value` as they are, and all others as JSON."""
    value = sql.col("value") if "value" in rows.columns else sql.to_json(sql.struct("*"))
    columns = [value.alias("value")]
    if sink.key:
        columns.append(sql.col(sink.key).cast("string").alias("key"))
    elif "key" in rows.columns:
        columns.append(sql.col("key"))
    return rows.select(*columns)
