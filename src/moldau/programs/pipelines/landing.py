"""A batch of records into bronze, silver and the dead letters, and how many went where.

`land_values` does it for values of any kind, as settings describe them. A pipeline that judges its
records itself gives them to `land_all` and `counted`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from moldau.programs.pipelines.errors import SettingError
from moldau.programs.pipelines.job import Batch
from moldau.programs.pipelines.landing_settings import LandingSettings
from moldau.programs.pipelines.parsing import inferred_schema, parsed, read_schema
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.tables import LakeTables

__all__ = [
    "PLACE_IN_SILVER",
    "TABLES",
    "counted",
    "ensure_columns",
    "land_all",
    "land_values",
    "names_in",
    "schema_for",
]

TABLES = {"bronze": "", "silver": "_", "dead_letters": ""}
"""Each has a row for a record; behind it what the columns of its place begin with."""
PLACE = ("topic", "partition", "offset", "timestamp")
PLACE_IN_SILVER = tuple(f"_{name}" for name in (*PLACE, "key"))


def land_values(
    records: DataFrame,
    batch: Batch,
    settings: LandingSettings,
    use: Callable[[DataFrame], None],
) -> Counts:
    """One batch of any values: judged, landed, and its rows of silver put to use."""
    schema = schema_for(records, batch, settings)
    rows = parsed(
        records,
        settings.form,
        schema,
        size_max=settings.size_max,
        event_time=settings.event_time,
        late_after_s=settings.late_after_s,
        registry=settings.registry,
    ).persist()
    columns = ["value"] if settings.form == "raw" else schema.names
    use(land_all(rows, columns, batch, settings.partition_by, settings.letters))
    counts = counted(rows, batch.tables)
    rows.unpersist()
    return counts


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


def schema_for(records: DataFrame, batch: Batch, settings: LandingSettings) -> StructType:
    """The columns of values: as given, or those of silver and whatever else this batch brings."""
    if settings.form == "raw":
        return StructType([])
    if settings.schema:
        return read_schema(settings.schema)
    table = from_arrow_schema(batch.tables.columns("silver"))
    known = [column for column in table if not column.name.startswith("_")]
    names = {column.name.lower() for column in known}
    small = records.where(sql.length("value") <= settings.size_max)
    found = inferred_schema(small, settings.form, settings.registry)
    fresh = [column for column in found if column.name.lower() not in names]
    return StructType([*known, *[column for column in fresh if not column.name.startswith("_")]])


def ensure_columns(settings: LandingSettings) -> None:
    """Return if values can be read, and other settings name columns of the schema, if given."""
    if settings.form == "csv" and not settings.schema:
        raise SettingError("csv has no names in it: set schema to its columns")
    if settings.form == "registry" and not settings.registry:
        raise SettingError("registry is missing: say where it is, such as http://localhost:8081")
    if not settings.schema or settings.form == "raw":
        return
    known = [*read_schema(settings.schema).names, *PLACE_IN_SILVER]
    for setting_name in ("event_time", "partition_by", "group_by", "measure"):
        for name in names_in(getattr(settings, setting_name, "")):
            if name.lower() not in {column.lower() for column in known}:
                raise SettingError(
                    f"{setting_name} names {name}, which is no column of schema: there are"
                    f" {', '.join(known)}"
                )


def names_in(text: str) -> list[str]:
    """Of a setting that lists columns."""
    return [name.strip() for name in text.split(",") if name.strip()]
