"""A batch of records into bronze, silver and the dead letters, and how many went where.

A pipeline of JSON names its columns, and has a function for its batches:

    rows = judged(records, "id string, at timestamp", settings, needed=["id"])
    good, counts = land_all(rows, batch, letters=settings.letters)

`land_topic` runs such a pipeline. `land_values` is for values of any kind, as settings describe
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from moldau.programs.pipelines.batch import Batch
from moldau.programs.pipelines.early import Sure, early
from moldau.programs.pipelines.errors import SettingError
from moldau.programs.pipelines.job import Beside, Job, Work
from moldau.programs.pipelines.landing_settings import BatchSettings, LandingSettings
from moldau.programs.pipelines.parsing import MISFIT, inferred_schema, parsed, read_schema
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.tables import Taken
from moldau.spark.lake.shares import Early, Tally, quoted

__all__ = [
    "PLACE_IN_SILVER",
    "TABLES",
    "ensure_columns",
    "ensure_window",
    "judged",
    "land_all",
    "land_topic",
    "land_values",
    "names_in",
    "schema_for",
]

TABLES = {"bronze": "", "silver": "_", "dead_letters": ""}
"""Each has a row for a record; behind it what the columns of its place begin with."""
PLACE = ("topic", "partition", "offset", "timestamp")
NOT_IN_BRONZE = ("row", "reason", "detail", "timestampType")
PLACE_IN_SILVER = tuple(f"_{name}" for name in (*PLACE, "key"))
Settings = TypeVar("Settings", bound=BatchSettings)


def land_topic(
    job: Job,
    records: DataFrame,
    land: Callable[[DataFrame, Batch, Settings], Counts],
    settings: Settings,
    beside: Sequence[Beside] = (),
    keeps_records: bool = False,
) -> None:
    """Run a pipeline whose `land` gives its batches to `land_all` or `land_values`.

    Records of a batch are kept in memory where `land` looks at them twice.
    """
    if settings.letters in names_in(job.route.topic):
        raise SettingError(
            f"letters is {settings.letters}, which the pipeline reads: what it rejects would come"
            " again, for ever"
        )
    work = Work(
        tables=TABLES,
        land=lambda frame, batch: land(frame, batch, settings),
        compact_every=settings.compact_every,
        beside=beside,
        keeps_records=keeps_records,
        every_s=settings.tables_every_s,
    )
    job.run(work, records)


def judged(
    records: DataFrame,
    columns: str,
    settings: BatchSettings,
    *,
    needed: Sequence[str] = (),
    time: str = "",
    late_after_s: int = 0,
) -> DataFrame:
    """Records of JSON with these columns as their `row`, or with the `reason` why not.

    Each has to have those that are `needed`. By the column `time` it may be too late.
    """
    return parsed(
        records,
        "json",
        read_schema(columns),
        size_max=settings.size_max,
        needed=needed,
        event_time=time,
        late_after_s=late_after_s,
    )


def land_values(
    records: DataFrame,
    batch: Batch,
    settings: LandingSettings,
    use: Callable[[DataFrame], None],
) -> Counts:
    """One batch of any values: judged, landed, and its rows of silver put to use."""
    schema = schema_for(records, batch, settings)

    def judge(rows: DataFrame) -> DataFrame:
        return parsed(
            rows,
            settings.form,
            schema,
            size_max=settings.size_max,
            event_time=settings.event_time,
            late_after_s=settings.late_after_s,
            registry=settings.registry,
        )

    begun = None
    if settings.form == "json" and not settings.letters:
        sure = Sure(
            schema=schema,
            size_max=settings.size_max,
            event_time=settings.event_time,
            late_after_s=settings.late_after_s,
        )
        begun = early(records, batch, sure, list(TABLES), judge)
    silver, counts = land_all(judge(records), batch, settings.letters, settings.partition_by, begun)
    use(silver)
    return counts


def land_all(
    rows: DataFrame,
    batch: Batch,
    letters: str = "",
    partition_by: str = "",
    begun: Early | None = None,
) -> tuple[DataFrame, Counts]:
    """Write what `parsed` has judged; the rows of silver, for whatever is made of them, and counts.

    The rows are computed once. With `letters` they stay in memory, for those that are rejected go
    into that topic as well, as they came.
    """
    if letters:
        rows = batch.keep(rows)
    tables = batch.tables
    is_good, is_bad = sql.col("reason").isNull(), sql.col("reason").isNotNull()
    columns = rows.select("row.*").columns
    fields = {name: f"row.{quoted(name)}" for name in columns if name != MISFIT}
    in_silver = {f"_{name}": name for name in (*PLACE, "key")} | fields
    in_bronze = {name: name for name in rows.columns if name not in NOT_IN_BRONZE}
    in_letters = {name: name for name in (*PLACE, "key", "reason", "detail")}
    is_new_letter = is_bad & tables.is_new("dead_letters")
    landed = tables.append_all(
        rows,
        {
            "bronze": Taken(tables.is_new("bronze"), in_bronze),
            "silver": Taken(is_good & tables.is_new("silver"), in_silver, names_in(partition_by)),
            "dead_letters": Taken(is_new_letter, in_letters),
        },
        batch.number,
        tally="reason",
        early=begun,
    )
    if letters:
        batch.send(letters, _as_records(rows.where(is_new_letter)))
    silver = landed.read_back("silver")
    if silver is None:
        good = batch.keep(rows).where(is_good & tables.is_new("silver"))
        silver = good.select(*(sql.col(each).alias(name) for name, each in in_silver.items()))
    return silver, _counts_of(landed.counts)


def _counts_of(counts: Mapping[Tally, int]) -> Counts:
    """How the records of a batch ended: in silver, among the dead letters, or known before."""
    good, rejected = 0, Counter[str]()
    for (reason, (_, in_silver, in_letters)), count in counts.items():
        good += count * in_silver
        if reason is not None and in_letters:
            rejected[reason] += count
    read = sum(counts.values())
    known = read - good - rejected.total()
    return Counts(read=read, known=known, good=good, rejected=dict(sorted(rejected.items())))


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


def ensure_window(records: DataFrame, window: str) -> None:
    """Return if Spark takes it for a length of time."""
    try:
        records.select(sql.window("timestamp", window)).schema  # noqa: B018 - it is analysed
    except PySparkException as error:
        raise SettingError(
            f"window is a length of time such as '1 minute', and not {window!r}"
        ) from error


def names_in(text: str) -> list[str]:
    """Of a setting that lists columns."""
    return [name.strip() for name in text.split(",") if name.strip()]
