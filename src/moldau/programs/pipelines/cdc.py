"""Changes of a database, as Debezium writes them, applied to tables that mirror it.

    bronze, silver, dead_letters, reconciliation   as in the pipeline etl; silver has the changes
    mirror_TABLE    the rows of a table of the source as they are now (SCD 1)
    history_TABLE   all versions of its rows, each with since when and until when (SCD 2)
    changes         how many changes of each kind, by table and hour
    transactions    how many changes each transaction of the source reports to have

Topics have the records of Debezium with or without schemas; name several with commas between them,
the topic of transactions, too. Changes may come twice and in any order: the position in the log of
the source decides which is the later one.

A batch's changes and the earlier versions of their keys come to the driver: keep batches small.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable
from typing import cast

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.pandas.functions import arrow_udf

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.demonstrations import CHANGES
from moldau.programs.pipelines.envelope import COLUMNS, Change, decoded
from moldau.programs.pipelines.job import Batch, Job, Work
from moldau.programs.pipelines.landing import TABLES, land_all
from moldau.programs.pipelines.mirror import (
    EMPTIED,
    changed_rows,
    columns_of_rows,
    history_of,
    mirror_of,
    table_of,
)
from moldau.programs.pipelines.parsing import read_schema
from moldau.programs.pipelines.pipeline import Pipeline
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.settings import setting

__all__ = ["PIPELINE", "CdcSettings", "apply", "judged", "land", "run"]

ROW_CHANGES = ("c", "u", "r", "d", "t")
DECODED = pa.struct(
    [
        *[(name, pa.string()) for name in Change._fields if name != "at_ms"],
        *[("at_ms", pa.int64()), ("reason", pa.string()), ("detail", pa.string())],
    ]
)
WORDS = "[^A-Za-z0-9]+"


@dataclass(frozen=True, kw_only=True)
class CdcSettings:
    """What is kept, and how much at once."""

    letters: str = setting("", "the topic that dead letters go to; nothing: only the table")
    size_max: int = setting(1024 * 1024, "bytes; a larger value goes to the dead letters")
    compact_every: int = setting(100, "batches between compactions; 0: never")
    batch_size: int = setting(20_000, "records that a batch takes at most", least=1)


def run(job: Job, settings: CdcSettings) -> None:
    """Until it is interrupted, or all that is available is read."""
    work = Work(
        name="cdc",
        tables=TABLES,
        land=lambda frame, batch: land(frame, batch, settings),
        compact_every=settings.compact_every,
        keeps_records=False,
    )
    job.run(work, job.records(maxOffsetsPerTrigger=str(settings.batch_size)))


def land(records: DataFrame, batch: Batch, settings: CdcSettings) -> Counts:
    """One batch: into its tables, and then into the mirrors of the source's tables."""
    rows = batch.keep(judged(records, settings.size_max))
    names = read_schema(COLUMNS).names
    silver, counts = land_all(rows, names, batch, letters=settings.letters)

    hour = sql.date_trunc("hour", sql.timestamp_millis("at_ms")).alias("hour")
    kinds = silver.groupBy(hour, "table", "op").agg(sql.count("*").alias("changes"))
    batch.tables.add_up("changes", kinds.toArrow(), ["hour", "table", "op"], batch.number)

    good = rows.where("reason is null").orderBy("topic", "partition", "offset").select("row.*")
    by_table: dict[str, list[Change]] = defaultdict(list)
    for found in good.where(sql.col("op").isin(*ROW_CHANGES)).toArrow().to_pylist():
        by_table[found["table"]].append(Change(**found))
    for table, changes in sorted(by_table.items()):
        apply(batch, table, changes)
    ends = sql.get_json_object("row", "$.events").cast("bigint").alias("events")
    transactions = good.where("op = 'end'").select("transaction", ends).distinct()
    batch.tables.replace("transactions", transactions.toArrow(), ["transaction"])
    return counts


def apply(batch: Batch, table: str, changes: list[Change]) -> None:
    """Changes into the history of their keys, and what is current in it into the mirror."""
    name = re.sub(WORDS, "_", table)
    mirror, history = f"mirror_{name}", f"history_{name}"
    there = batch.tables.columns(history)
    known = {column.name: column.type for column in there if not column.name.startswith("_")}
    columns = columns_of_rows((json.loads(each.row or "{}") for each in changes), known)
    is_emptied = any(each.op == "t" for each in changes)
    keys = None if is_emptied else [EMPTIED, *{each.id for each in changes}]
    earlier = batch.tables.rows(history, "_key", keys)
    versions = history_of([*earlier, *changed_rows(changes, columns)])
    batch.tables.replace(history, table_of(versions, columns), ["_key", "_place"])
    current = table_of(mirror_of(versions, columns), columns)
    batch.tables.replace(mirror, current, ["_key"], gone="_is_gone")


def judged(records: DataFrame, size_max: int) -> DataFrame:
    """The records as changes, or with the reason why not."""
    is_large = sql.length("value") > size_max
    value = sql.when(is_large, None).otherwise(sql.col("value"))
    size = sql.concat(sql.length("value").cast("string"), sql.lit(" bytes"))
    found = records.withColumn("found", _decoding()("key", value))
    return found.withColumns(
        {
            "row": sql.struct(*[f"found.{name}" for name in read_schema(COLUMNS).names]),
            "reason": sql.when(is_large, "oversized").otherwise(sql.col("found.reason")),
            "detail": sql.when(is_large, size).otherwise(sql.col("found.detail")),
        }
    ).drop("found")


def _decoding() -> Callable[..., Column]:
    """An Arrow function: keys and values in, changes or reasons out."""

    def decode(keys: pa.Array, values: pa.Array) -> pa.Array:
        pairs = zip(keys.to_pylist(), values.to_pylist(), strict=True)
        found = [decoded(key, value)._asdict() for key, value in pairs]
        return pa.array(found, DECODED)

    fields = f"struct<{COLUMNS}, reason string, detail string>"
    return cast("Callable[..., Column]", arrow_udf(decode, fields))  # type: ignore[call-overload]


PIPELINE = Pipeline(
    name="cdc",
    description="changes of a database by Debezium into tables that mirror it, with their history",
    settings=CdcSettings,
    run=run,
    tables=(
        *("bronze", "silver", "dead_letters", "reconciliation"),
        *("changes", "transactions"),
    ),
    charts={
        "Changes by table": ("changes", "table", "changes"),
        "Changes by kind": ("changes", "op", "changes"),
        "Changes by hour": ("changes", "hour", "changes"),
    },
    demonstration=CHANGES,
)
