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

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.demonstrations import READINGS
from moldau.programs.pipelines.devices import OUTPUT, DeviceLogic
from moldau.programs.pipelines.errors import SettingError
from moldau.programs.pipelines.job import Batch, Beside, Job, Work
from moldau.programs.pipelines.landing import TABLES, land_all
from moldau.programs.pipelines.parsing import parsed, read_schema
from moldau.programs.pipelines.pipeline import Pipeline
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.settings import setting
from moldau.programs.pipelines.stateful import keyed

__all__ = ["PIPELINE", "TelemetrySettings", "judged", "land", "land_found", "logic_of", "run"]

READING = "device string, seq bigint, value double, at timestamp"


@dataclass(frozen=True, kw_only=True)
class TelemetrySettings:
    """What is a window, a gap and an outlier."""

    resolutions_s: str = setting("60,900,3600", "lengths of windows in seconds, with commas")
    gap_s: int = setting(120, "seconds of silence that are a gap", least=1)
    deviations_max: int = setting(6, "a reading that is more deviations off is an outlier")
    alerts: str = setting("", "the topic that silent devices and outliers go to; nothing: none")
    letters: str = setting("", "the topic that dead letters go to; nothing: only the table")
    late_after_s: int = setting(600, "how long after it was made a reading may still be written")
    size_max: int = setting(65_536, "bytes; a larger value goes to the dead letters")
    compact_every: int = setting(100, "batches between compactions; 0: never")
    batch_size: int = setting(1_000_000, "records that a batch takes at most", least=1)


def run(job: Job, settings: TelemetrySettings) -> None:
    """Until it is interrupted, or all that is available is read."""
    logic = logic_of(settings)
    records = job.records(maxOffsetsPerTrigger=str(settings.batch_size))
    readings = judged(records, settings).where("reason is null")
    found = keyed(
        readings.select("row.*", "offset", sql.unix_micros("row.at").alias("at_us")),
        "device",
        logic,
        OUTPUT,
        time="at",
        late_after_s=settings.late_after_s,
    )
    beside = Beside("windows", found, lambda frame, batch: land_found(frame, batch, settings))
    work = Work(
        name="telemetry",
        tables=TABLES,
        land=lambda frame, batch: land(frame, batch, settings),
        compact_every=settings.compact_every,
        keeps_records=False,
        beside=(beside,),
    )
    job.run(work, records)


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


def judged(records: DataFrame, settings: TelemetrySettings) -> DataFrame:
    """The records as readings, or with the reason why not."""
    return parsed(
        records,
        "json",
        read_schema(READING),
        size_max=settings.size_max,
        event_time="at",
        late_after_s=settings.late_after_s,
        needed=("device", "seq", "value", "at"),
    )


def land(records: DataFrame, batch: Batch, settings: TelemetrySettings) -> Counts:
    """One batch: into its tables, and counted by device."""
    rows = judged(records, settings)
    readings, counts = land_all(rows, read_schema(READING).names, batch, letters=settings.letters)

    hour = sql.date_trunc("hour", "at").alias("hour")
    arrivals = readings.groupBy(hour, "device").agg(sql.count("*").alias("readings"))
    batch.tables.add_up("arrivals", arrivals.toArrow(), ["hour", "device"], batch.number)

    return counts


def land_found(found: DataFrame, batch: Batch, settings: TelemetrySettings) -> None:
    """Each kind of what was found into its table, and what is bad into the topic of alerts."""
    began = sql.timestamp_micros("began_us")
    windows = found.where("kind = 'window'").select(
        *("device", began.alias("window"), "seconds", "readings"),
        *((sql.col("total") / sql.col("readings")).alias("mean"), "low", "high"),
    )
    gaps = found.where("kind = 'gap'").select("device", began.alias("began"), "seconds")
    outliers = found.where("kind = 'outlier'")
    outliers = outliers.select("device", began.alias("at"), "value", "deviations")
    again = found.where("kind = 'again'").select("device", began.alias("at"), "value")
    if settings.alerts:
        bad = found.where("kind in ('outlier', 'quiet')").withColumn("at", began)
        value = sql.to_json(sql.struct("kind", "device", "at", "value", "deviations"))
        records = bad.select(sql.col("device").alias("key"), value.alias("value"))
        batch.send(settings.alerts, records)
    for name, rows in {
        "gaps": gaps,
        "outliers": outliers,
        "again": again,
        "windows": windows,
    }.items():
        batch.tables.append(name, rows, batch.number)


PIPELINE = Pipeline(
    name="telemetry",
    description="readings of devices into windows of several lengths, with gaps and outliers",
    settings=TelemetrySettings,
    run=run,
    tables=(
        *("bronze", "silver", "dead_letters", "reconciliation"),
        *("arrivals", "windows", "gaps", "outliers", "again"),
    ),
    charts={
        "Readings by hour": ("arrivals", "hour", "readings"),
        "Readings by device": ("arrivals", "device", "readings"),
        "Seconds of silence by device": ("gaps", "device", "seconds"),
        "Deviations of outliers by device": ("outliers", "device", "deviations"),
    },
    demonstration=READINGS,
)
