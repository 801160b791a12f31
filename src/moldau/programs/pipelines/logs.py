"""Logs of many services: how many lines of each level in each window, and alerts about the worst.

    bronze, silver, dead_letters, reconciliation   as in the pipeline etl
    levels     lines of each service and level in each window; late ones are added to theirs
    alerts     a topic: each line of the levels in `alert_on`, once, by the name of its service

A line is `{"service": …, "level": …, "message": …, "at": …}`.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from moldau.programs.pipelines.batch import Batch
from moldau.programs.pipelines.demonstrations import LOGS
from moldau.programs.pipelines.job import Job
from moldau.programs.pipelines.landing import ensure_window, judged, land_all, land_topic
from moldau.programs.pipelines.landing_settings import BatchSettings
from moldau.programs.pipelines.pipeline import LANDED, Pipeline
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.settings import setting

LINE = "service string, level string, message string, at timestamp"


@dataclass(frozen=True, kw_only=True)
class LogSettings(BatchSettings):
    """What is counted, and what is worth an alert."""

    window: str = setting("1 minute", "over which lines are counted")
    alerts: str = setting("", "the topic that alerts go to; nothing: none are written")
    alert_on: str = setting("ERROR,FATAL", "levels, with commas between them")
    late_after_s: int = setting(86_400, "how long after it happened a line may still be written")


def run(job: Job, settings: LogSettings) -> None:
    """Until it is interrupted, or all that is available is read."""
    records = job.records(settings.batch_size)
    ensure_window(records, settings.window)
    land_topic(job, records, land, settings)


def land(records: DataFrame, batch: Batch, settings: LogSettings) -> Counts:
    """One batch: into its tables, counted, and what is bad enough into the topic of alerts."""
    late_after_s = settings.late_after_s
    rows = judged(records, LINE, settings, time="at", late_after_s=late_after_s)
    lines, counts = land_all(rows, batch, settings.letters)

    window = sql.window("at", settings.window)["start"].alias("window")
    levels = lines.groupBy(window, "service", "level").agg(sql.count("*").alias("lines"))
    batch.add_up("levels", levels, ["window", "service", "level"])
    if settings.alerts:
        batch.send(settings.alerts, alerts_of(lines, settings), key="service")

    return counts


def alerts_of(lines: DataFrame, settings: LogSettings) -> DataFrame:
    """Lines of the levels that are worth an alert."""
    wanted = [level.strip() for level in settings.alert_on.split(",")]
    return lines.where(sql.col("level").isin(wanted)).select("service", "level", "message", "at")


PIPELINE = Pipeline(
    name="logs",
    description="logs of services as JSON into counts by level, and alerts exactly once",
    settings=LogSettings,
    run=run,
    tables=(*LANDED, "levels"),
    charts={
        "Lines by service": ("levels", "service", "lines"),
        "Lines by level": ("levels", "level", "lines"),
        "Lines by hour": ("levels", "window", "lines"),
    },
    demonstration=LOGS,
)
