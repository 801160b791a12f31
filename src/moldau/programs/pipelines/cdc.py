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
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from moldau.programs.pipelines.batch import Batch
from moldau.programs.pipelines.debezium import changes_of
from moldau.programs.pipelines.demonstrations import CHANGES
from moldau.programs.pipelines.envelope import Change
from moldau.programs.pipelines.job import Job
from moldau.programs.pipelines.landing import land_all, land_topic
from moldau.programs.pipelines.landing_settings import BatchSettings
from moldau.programs.pipelines.mirror import (
    EMPTIED,
    changed_rows,
    columns_of_rows,
    history_of,
    mirror_of,
    table_of,
)
from moldau.programs.pipelines.pipeline import LANDED, Pipeline
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.settings import setting

ROW_CHANGES = ("c", "u", "r", "d", "t")
WORDS = "[^A-Za-z0-9]+"


@dataclass(frozen=True, kw_only=True)
class CdcSettings(BatchSettings):
    """Records are large, and a batch of them is small."""

    size_max: int = setting(1024 * 1024, "bytes; a larger value goes to the dead letters")
    batch_size: int = setting(20_000, "records that a batch takes at most", least=1)


def run(job: Job, settings: CdcSettings) -> None:
    """Until it is interrupted, or all that is available is read."""
    land_topic(job, job.records(settings.batch_size), land, settings)


def land(records: DataFrame, batch: Batch, settings: CdcSettings) -> Counts:
    """One batch: into its tables, and then into the mirrors of the source's tables."""
    rows = batch.keep(changes_of(records, settings.size_max))
    silver, counts = land_all(rows, batch, settings.letters)

    hour = sql.date_trunc("hour", sql.timestamp_millis("at_ms")).alias("hour")
    of_rows = silver.where(sql.col("op").isin(*ROW_CHANGES))  # others have no table and no time
    kinds = of_rows.groupBy(hour, "table", "op").agg(sql.count("*").alias("changes"))
    batch.add_up("changes", kinds, ["hour", "table", "op"])

    good = rows.where("reason is null").orderBy("topic", "partition", "offset").select("row.*")
    by_table: dict[str, list[Change]] = defaultdict(list)
    for found in good.where(sql.col("op").isin(*ROW_CHANGES)).toArrow().to_pylist():
        by_table[found["table"]].append(Change(**found))
    for table, changes in sorted(by_table.items()):
        apply(batch, table, changes)
    ends = sql.get_json_object("row", "$.events").try_cast("bigint").alias("events")
    transactions = good.where("op = 'end'").select("transaction", ends).distinct()
    batch.replace("transactions", transactions, ["transaction"])
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


PIPELINE = Pipeline(
    name="cdc",
    description="changes of a database by Debezium into tables that mirror it, with their history",
    settings=CdcSettings,
    run=run,
    tables=(*LANDED, "changes", "transactions"),
    charts={
        "Changes by table": ("changes", "table", "changes"),
        "Changes by kind": ("changes", "op", "changes"),
        "Changes by hour": ("changes", "hour", "changes"),
    },
    demonstration=CHANGES,
)
