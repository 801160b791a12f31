"""Readings of many devices: each once, in windows of several lengths, with gaps and outliers.

    bronze, silver, dead_letters, reconciliation   as in the pipeline etl; silver has doubles, too
    arrivals    readings by device and hour, as they came
    windows     count, mean, lowest and highest of each device in each window of every length
    gaps        times in which a device was silent for longer than it may be
    outliers    readings that are far from what was usual for their device
    again       readings that came a second time, and were not counted

A reading is `{"device": …, "seq": …, "value": …, "at": …}`, and the key of its record is the
device. With `alerts` devices that fall silent and outliers go into that topic as well, each once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from moldau.programs.pipelines.batch import Batch
from moldau.programs.pipelines.demonstrations import READINGS
from moldau.programs.pipelines.devices import OUTPUT, DeviceLogic
from moldau.programs.pipelines.errors import SettingError
from moldau.programs.pipelines.job import Beside, Job
from moldau.programs.pipelines.landing import judged, land_all, land_topic
from moldau.programs.pipelines.landing_settings import BatchSettings
from moldau.programs.pipelines.parsing import good
from moldau.programs.pipelines.pipeline import LANDED, Pipeline
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.settings import setting
from moldau.programs.pipelines.stateful import keyed

READING = "device string, seq bigint, value double, at timestamp"
NEEDED = ("device", "seq", "value", "at")
FOUND = {
    "gaps": ("gap", "at as began", "seconds"),
    "outliers": ("outlier", "at", "value", "deviations"),
    "again": ("again", "at", "value"),
    "windows": (
        *("window", "at as window", "seconds", "readings"),
        *("total / readings as mean", "low", "high"),
    ),
}
"""Tables of what is found: its kind, and the columns beside the device."""


@dataclass(frozen=True, kw_only=True)
class TelemetrySettings(BatchSettings):
    """What is a window, a gap and an outlier."""

    resolutions_s: str = setting("60,900,3600", "lengths of windows in seconds, with commas")
    gap_s: int = setting(120, "seconds of silence that are a gap", least=1)
    deviations_max: int = setting(6, "a reading that is more deviations off is an outlier")
    alerts: str = setting("", "the topic that silent devices and outliers go to; nothing: none")
    late_after_s: int = setting(600, "how long after it was made a reading may still be written")


def run(job: Job, settings: TelemetrySettings) -> None:
    """Until it is interrupted, or all that is available is read."""
    logic = logic_of(settings)
    records = job.records(settings.batch_size)
    readings = good(readings_of(records, settings))
    found = keyed(
        readings.selectExpr("row.*", "offset", "unix_micros(row.at) as at_us"),
        "device",
        logic,
        OUTPUT,
        time="at",
        late_after_s=settings.late_after_s,
    )
    windows = Beside("windows", found, partial(land_found, settings=settings))
    land_topic(job, records, land, settings, beside=[windows])


def logic_of(settings: TelemetrySettings) -> DeviceLogic:
    """What runs with the state of each device."""
    lengths = [each.strip() for each in settings.resolutions_s.split(",")]
    if not all(each.isdecimal() and int(each) > 0 for each in lengths):
        raise SettingError(
            "resolutions_s are whole numbers of seconds with commas between them, and not"
            f" {settings.resolutions_s!r}"
        )
    return DeviceLogic(
        resolutions_s=tuple(map(int, lengths)),
        gap_s=settings.gap_s,
        deviations_max=settings.deviations_max,
    )


def readings_of(records: DataFrame, settings: TelemetrySettings) -> DataFrame:
    """The records as readings, or with the reason why not."""
    late_after_s = settings.late_after_s
    return judged(records, READING, settings, needed=NEEDED, time="at", late_after_s=late_after_s)


def land(records: DataFrame, batch: Batch, settings: TelemetrySettings) -> Counts:
    """One batch: into its tables, and counted by device."""
    readings, counts = land_all(readings_of(records, settings), batch, settings.letters)
    hour = sql.date_trunc("hour", "at").alias("hour")
    arrivals = readings.groupBy(hour, "device").agg(sql.count("*").alias("readings"))
    batch.add_up("arrivals", arrivals, ["hour", "device"])
    return counts


def land_found(found: DataFrame, batch: Batch, settings: TelemetrySettings) -> None:
    """Each kind of what was found into its table, and what is bad into the topic of alerts."""
    found = found.withColumn("at", sql.timestamp_micros("began_us"))
    if settings.alerts:
        bad = found.where("kind in ('outlier', 'quiet')")
        alerts = bad.select("kind", "device", "at", "value", "deviations")
        batch.send(settings.alerts, alerts, key="device")
    for table, (kind, *columns) in FOUND.items():
        batch.append(table, found.where(sql.col("kind") == kind).selectExpr("device", *columns))


PIPELINE = Pipeline(
    name="telemetry",
    description="readings of devices into windows of several lengths, with gaps and outliers",
    settings=TelemetrySettings,
    run=run,
    check=lambda settings, files: logic_of(settings),
    tables=(*LANDED, "arrivals", *FOUND),
    charts={
        "Readings by hour": ("arrivals", "hour", "readings"),
        "Readings by device": ("arrivals", "device", "readings"),
        "Seconds of silence by device": ("gaps", "device", "seconds"),
        "Deviations of outliers by device": ("outliers", "device", "deviations"),
    },
    demonstration=READINGS,
)
