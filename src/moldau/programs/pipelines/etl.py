"""Any topic becomes tables of a lake: what came, what it means, what could not be read, and sums.

    bronze          every record as it came: its place, timestamp, key, value and headers
    silver          the columns of those that can be read, their place in _topic and so on
    gold            how many, and the sum of a measure, by the hour and by the columns you name
    dead_letters    the others, each with a reason and the first bytes of what was wrong
    reconciliation  for each batch: in = out + rejected

This is plain PySpark: copy the file, change what you need, and run it as it lies there:

    moldau pipeline run my_pipeline.py --bootstrap … --topic … --lake … --checkpoint …
"""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from moldau.programs.pipelines.batch import Batch
from moldau.programs.pipelines.demonstrations import ORDERS
from moldau.programs.pipelines.job import Job
from moldau.programs.pipelines.landing import ensure_columns, land_topic, land_values, names_in
from moldau.programs.pipelines.landing_settings import LandingSettings
from moldau.programs.pipelines.pipeline import LANDED, Pipeline
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.settings import setting


@dataclass(frozen=True, kw_only=True)
class EtlSettings(LandingSettings):
    """What values are, and what is made of them."""

    group_by: str = setting("", "columns of silver that gold counts by, beside the hour")
    measure: str = setting("", "the column of silver that gold adds up")


def run(job: Job, settings: EtlSettings) -> None:
    """Until it is interrupted, or all that is available is read."""
    ensure_columns(settings)
    ranges = job.ranges(settings.batch_size)  # its tasks fetch the records, and parse them there
    looks_twice = not settings.schema  # for the columns first, then for the rows
    land_topic(job, ranges, land, settings, keeps_records=looks_twice)


def land(records: DataFrame, batch: Batch, settings: EtlSettings) -> Counts:
    """One batch: all of it into bronze, what can be read into silver and gold, the rest aside."""
    return land_values(
        records, batch, settings, lambda silver: add_to_gold(silver, batch, settings)
    )


def add_to_gold(silver: DataFrame, batch: Batch, settings: EtlSettings) -> None:
    """How many rows, and how much of the measure, for each hour and group."""
    hour = sql.date_trunc("hour", settings.event_time or "_timestamp").alias("hour")
    groups = names_in(settings.group_by)
    sums = [sql.count("*").alias("records")]
    if settings.measure:
        sums.append(sql.coalesce(sql.sum(settings.measure), sql.lit(0)).alias(settings.measure))
    gold = silver.groupBy(hour, *groups).agg(*sums)
    batch.add_up("gold", gold, ["hour", *groups])


PIPELINE = Pipeline(
    name="etl",
    description="any topic of JSON, CSV or bytes into bronze, silver and gold tables",
    settings=EtlSettings,
    run=run,
    tables=(*LANDED, "gold"),
    charts={
        "Revenue by product": ("gold", "product", "amount"),
        "Orders by country": ("gold", "country", "records"),
        "Orders by hour": ("gold", "hour", "records"),
    },
    demonstration=ORDERS,
)
