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

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.demonstrations import ORDERS
from moldau.programs.pipelines.errors import SettingError
from moldau.programs.pipelines.job import Batch, Job, Work
from moldau.programs.pipelines.landing import PLACE_IN_SILVER, TABLES, counted, land_all
from moldau.programs.pipelines.landing_settings import LandingSettings
from moldau.programs.pipelines.parsing import inferred_schema, parsed, read_schema
from moldau.programs.pipelines.pipeline import Pipeline
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.settings import setting

__all__ = ["PIPELINE", "EtlSettings", "add_to_gold", "ensure_columns", "land", "run", "schema_for"]


@dataclass(frozen=True, kw_only=True)
class EtlSettings(LandingSettings):
    """What values are, and what is made of them."""

    group_by: str = setting("", "columns of silver that gold counts by, beside the hour")
    measure: str = setting("", "the column of silver that gold adds up")


def run(job: Job, settings: EtlSettings) -> None:
    """Until it is interrupted, or all that is available is read."""
    if settings.form == "csv" and not settings.schema:
        raise SettingError("csv has no names in it: set schema to its columns")
    ensure_columns(settings)
    records = job.records(maxOffsetsPerTrigger=str(settings.batch_size))
    work = Work(
        name="etl",
        tables=TABLES,
        land=lambda frame, batch: land(frame, batch, settings),
        compact_every=settings.compact_every,
    )
    job.run(work, records)


def land(records: DataFrame, batch: Batch, settings: EtlSettings) -> Counts:
    """One batch: all of it into bronze, what can be read into silver, the rest aside."""
    schema = schema_for(records, batch, settings)
    rows = parsed(
        records,
        settings.form,
        schema,
        size_max=settings.size_max,
        event_time=settings.event_time,
        late_after_s=settings.late_after_s,
    ).persist()
    columns = ["value"] if settings.form == "raw" else schema.names
    silver = land_all(rows, columns, batch, settings.partition_by, settings.letters)
    add_to_gold(silver, batch, settings)
    counts = counted(rows, batch.tables)
    rows.unpersist()
    return counts


def ensure_columns(settings: LandingSettings) -> None:
    """Return if the columns that other settings name are in the schema, where one is given."""
    if not settings.schema or settings.form == "raw":
        return
    known = [*read_schema(settings.schema).names, *PLACE_IN_SILVER]
    for setting_name in ("event_time", "partition_by", "group_by", "measure"):
        for name in _names_in(getattr(settings, setting_name, "")):
            if name.lower() not in {column.lower() for column in known}:
                raise SettingError(
                    f"{setting_name} names {name}, which is no column of schema: there are"
                    f" {', '.join(known)}"
                )


def _names_in(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def add_to_gold(silver: DataFrame, batch: Batch, settings: EtlSettings) -> None:
    """How many rows, and how much of the measure, for each hour and group."""
    hour = sql.date_trunc("hour", settings.event_time or "_timestamp").alias("hour")
    groups = _names_in(settings.group_by)
    sums = [sql.count("*").alias("records")]
    if settings.measure:
        sums.append(sql.coalesce(sql.sum(settings.measure), sql.lit(0)).alias(settings.measure))
    gold = silver.groupBy(hour, *groups).agg(*sums)
    batch.tables.add_up("gold", gold.toArrow(), ["hour", *groups], batch.number)


def schema_for(records: DataFrame, batch: Batch, settings: LandingSettings) -> StructType:
    """The columns of values: as given, or those of silver and whatever else this batch brings."""
    if settings.form == "raw":
        return StructType([])
    if settings.schema:
        return read_schema(settings.schema)
    table = from_arrow_schema(batch.tables.columns("silver"))
    known = [column for column in table if not column.name.startswith("_")]
    names = {column.name.lower() for column in known}
    found = inferred_schema(records.where(sql.length("value") <= settings.size_max))
    fresh = [column for column in found if column.name.lower() not in names]
    return StructType([*known, *[column for column in fresh if not column.name.startswith("_")]])


PIPELINE = Pipeline(
    name="etl",
    says="any topic of JSON, CSV or bytes into bronze, silver and gold tables",
    settings=EtlSettings,
    run=run,
    tables=("bronze", "silver", "gold", "dead_letters", "reconciliation"),
    charts={
        "Revenue by product": ("gold", "product", "amount"),
        "Orders by country": ("gold", "country", "records"),
        "Orders by hour": ("gold", "hour", "records"),
    },
    demonstration=ORDERS,
)
