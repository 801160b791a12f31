"""Logs of many services: how many lines of each level in each window, and alerts about the worst.

    bronze, silver, dead_letters, reconciliation   as in the pipeline etl
    levels     lines of each service and level in each window; late ones are added to theirs
    alerts     a topic: each line of the levels in `alert_on`, once, by the name of its service

A line is `{"service": …, "level": …, "message": …, "at": …}`.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.clickstream import ensure_window
from moldau.programs.pipelines.demonstrations import LOGS
from moldau.programs.pipelines.job import Batch, Job, Work
from moldau.programs.pipelines.landing import TABLES, land_all
from moldau.programs.pipelines.parsing import parsed, read_schema
from moldau.programs.pipelines.pipeline import Pipeline
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.settings import setting

__all__ = ["PIPELINE", "LogSettings", "alerts_of", "land", "run"]

LINE = "service string, level string, message string, at timestamp"


@dataclass(frozen=True, kw_only=True)
class LogSettings:
    """What is counted, and what is worth an alert."""

    window: str = setting("1 minute", "over which lines are counted")
    alerts: str = setting("", "the topic that alerts go to; nothing: none are written")
    alert_on: str = setting("ERROR,FATAL", "levels, with commas between them")
    late_after_s: int = setting(86_400, "how long after it happened a line may still be written")
    letters: str = setting("", "the topic that dead letters go to; nothing: only the table")
    size_max: int = setting(65_536, "bytes; a larger value goes to the dead letters")
    compact_every: int = setting(100, "batches between compactions; 0: never")
    batch_size: int = setting(1_000_000, "records that a batch takes at most", least=1)


def run(job: Job, settings: LogSettings) -> None:
    """Until it is interrupted, or all that is available is read."""
    records = job.records(maxOffsetsPerTrigger=str(settings.batch_size))
    ensure_window(records, settings.window)
    work = Work(
        name="logs",
        tables=TABLES,
        land=lambda frame, batch: land(frame, batch, settings),
        compact_every=settings.compact_every,
        keeps_records=False,
    )
    job.run(work, records)


def land(records: DataFrame, batch: Batch, settings: LogSettings) -> Counts:
    """One batch: into its tables, counted, and what is bad enough into the topic of alerts."""
    rows = parsed(
        records,
        "json",
        read_schema(LINE),
        size_max=settings.size_max,
        event_time="at",
        late_after_s=settings.late_after_s,
    )
    lines, counts = land_all(rows, read_schema(LINE).names, batch, letters=settings.letters)

    window = sql.window("at", settings.window)["start"].alias("window")
    levels = lines.groupBy(window, "service", "level").agg(sql.count("*").alias("lines"))
    batch.tables.add_up("levels", levels.toArrow(), ["window", "service", "level"], batch.number)
    if settings.alerts:
        batch.send(settings.alerts, alerts_of(lines, settings))

    return counts


def alerts_of(lines: DataFrame, settings: LogSettings) -> DataFrame:
    """Records for the topic of alerts."""
    wanted = [level.strip() for level in settings.alert_on.split(",")]
    alert = sql.to_json(sql.struct("service", "level", "message", "at"))
    bad = lines.where(sql.col("level").isin(wanted))
    return bad.select(sql.col("service").alias("key"), alert.alias("value"))


PIPELINE = Pipeline(
    name="logs",
    description="logs of services as JSON into counts by level, and alerts exactly once",
    settings=LogSettings,
    run=run,
    tables=("bronze", "silver", "dead_letters", "reconciliation", "levels"),
    charts={
        "Lines by service": ("levels", "service", "lines"),
        "Lines by level": ("levels", "level", "lines"),
        "Lines by hour": ("levels", "window", "lines"),
    },
    demonstration=LOGS,
)
