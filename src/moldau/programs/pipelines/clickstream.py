"""What visitors of a site do: sessions, pages and a funnel, from clicks as JSON.

    bronze, silver, dead_letters, reconciliation   as in the pipeline etl
    pages      views of each page in each window; clicks that come late are added to theirs
    funnel     how many clicks of each kind in each hour: view, cart, checkout, purchase
    sessions   clicks of a visitor with no gap between them, written when they are over

A click is `{"visitor": …, "page": …, "action": …, "at": …}`. Two queries read the topic: one lands
batches in tables, the other keeps the open sessions of every visitor as its state.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from moldau.programs.pipelines.batch import Batch
from moldau.programs.pipelines.demonstrations import CLICKS
from moldau.programs.pipelines.job import Beside, Job
from moldau.programs.pipelines.landing import ensure_window, judged, land_all, land_topic
from moldau.programs.pipelines.landing_settings import BatchSettings
from moldau.programs.pipelines.pipeline import LANDED, Pipeline
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.sessions import OUTPUT, SessionProcessor
from moldau.programs.pipelines.settings import setting

CLICK = "visitor string, page string, action string, at timestamp"
US_PER_S = 1_000_000


@dataclass(frozen=True, kw_only=True)
class ClickSettings(BatchSettings):
    """What makes a session, and how late a click may come."""

    gap_s: int = setting(1_800, "seconds without a click that end a session", least=1)
    window: str = setting("1 minute", "over which views of a page are counted")
    late_after_s: int = setting(600, "how long after it happened a click may still be written")


def run(job: Job, settings: ClickSettings) -> None:
    """Until it is interrupted, or all that is available is read."""
    records = job.records(settings.batch_size)
    ensure_window(records, settings.window)
    sessions = Beside("sessions", sessions_of(records, settings))
    land_topic(job, records, land, settings, beside=[sessions])


def clicks_of(records: DataFrame, settings: ClickSettings) -> DataFrame:
    """The records as clicks, or with the reason why not."""
    return judged(records, CLICK, settings, time="at", late_after_s=settings.late_after_s)


def land(records: DataFrame, batch: Batch, settings: ClickSettings) -> Counts:
    """One batch: into its tables, and added up by page and by kind of click."""
    clicks, counts = land_all(clicks_of(records, settings), batch, settings.letters)

    window = sql.window("at", settings.window)["start"].alias("window")
    pages = clicks.groupBy(window, "page").agg(sql.count("*").alias("views"))
    batch.add_up("pages", pages, ["window", "page"])

    hour = sql.date_trunc("hour", "at").alias("hour")
    funnel = clicks.groupBy(hour, "action").agg(sql.count("*").alias("clicks"))
    batch.add_up("funnel", funnel, ["hour", "action"])

    return counts


def sessions_of(records: DataFrame, settings: ClickSettings) -> DataFrame:
    """The sessions that are over, as a stream."""
    clicks = (
        clicks_of(records, settings)
        .where("reason is null and row.visitor is not null and row.at is not null")
        .select("row.*", sql.unix_micros("row.at").alias("at_us"))
        .withWatermark("at", f"{settings.late_after_s} seconds")
    )
    over = clicks.groupBy("visitor").transformWithState(
        statefulProcessor=SessionProcessor(settings.gap_s * US_PER_S),
        outputStructType=OUTPUT,
        outputMode="Append",
        timeMode="EventTime",
    )
    times = {"began": sql.timestamp_micros("begin_us"), "ended": sql.timestamp_micros("end_us")}
    return over.withColumns(times).drop("begin_us", "end_us")


PIPELINE = Pipeline(
    name="clickstream",
    description="clicks as JSON into sessions, views of pages and a funnel",
    settings=ClickSettings,
    run=run,
    tables=(*LANDED, "pages", "funnel", "sessions"),
    charts={
        "Top pages": ("pages", "page", "views"),
        "Funnel": ("funnel", "action", "clicks"),
        "Views by hour": ("pages", "window", "views"),
        "Sessions by the page they begin at, in clicks": ("sessions", "entry", "clicks"),
    },
    demonstration=CLICKS,
)
