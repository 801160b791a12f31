"""A batch of judged records into bronze, silver and the dead letters, and how many went where."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from moldau.programs.pipelines.job import Batch
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.tables import LakeTables

__all__ = ["PLACE_IN_SILVER", "TABLES", "counted", "land_all"]

TABLES = {"bronze": "", "silver": "_", "dead_letters": ""}
"""Each has a row for a record; behind it what the columns of its place begin with."""
PLACE = ("topic", "partition", "offset", "timestamp")
PLACE_IN_SILVER = tuple(f"_{name}" for name in (*PLACE, "key"))


def land_all(
    rows: DataFrame,
    columns: Sequence[str],
    batch: Batch,
    partition_by: str = "",
    letters: str = "",
) -> DataFrame:
    """Write what `parsed` has judged; the rows of silver, for whatever is made of them.

    With `letters` the records that are rejected go into that topic as well, as they came.
    """
    tables = batch.tables
    place = [sql.col(name).alias(f"_{name}") for name in (*PLACE, "key")]
    fields = [sql.col(f"row.`{name}`") for name in columns]
    good = rows.where("reason is null").where(tables.is_new("silver"))
    bad = rows.where("reason is not null").where(tables.is_new("dead_letters"))
    silver = good.select(*place, *fields)
    bronze = rows.where(tables.is_new("bronze")).drop("row", "reason", "detail", "timestampType")
    tables.append("bronze", bronze, batch.number)
    tables.append("silver", silver, batch.number, partition_by)
    tables.append("dead_letters", bad.select(*PLACE, "key", "reason", "detail"), batch.number)
    if letters:
        batch.send(letters, _as_records(bad))
    return silver


def _as_records(bad: DataFrame) -> DataFrame:
    """The same records, with where they were and what is wrong with them in headers."""
    names = ("reason", "detail", "topic", "partition", "offset")
    headers = [
        sql.struct(
            sql.lit(f"moldau.{name}").alias("key"),
            sql.encode(sql.col(name).cast("string"), "UTF-8").alias("value"),
        )
        for name in names
    ]
    every = sql.concat(sql.coalesce("headers", sql.array()), sql.array(*headers))
    return bad.select("key", "value", every.alias("headers"))


def counted(rows: DataFrame, tables: LakeTables) -> Counts:
    """How the records of a batch ended: in silver, among the dead letters, or known before."""
    is_new = sql.when(sql.col("reason").isNull(), tables.is_new("silver")).otherwise(
        tables.is_new("dead_letters")
    )
    sums = [sql.count("*").alias("read"), sql.count_if(is_new).alias("new")]
    by_reason = {row["reason"]: row for row in rows.groupBy("reason").agg(*sums).collect()}
    read = sum(row["read"] for row in by_reason.values())
    new = {reason: row["new"] for reason, row in by_reason.items() if row["new"]}
    return Counts(
        read=read,
        known=read - sum(new.values()),
        good=new.pop(None, 0),
        rejected=dict(sorted(new.items())),
    )
