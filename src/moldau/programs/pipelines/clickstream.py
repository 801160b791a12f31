"""What visitors of a site do: sessions, pages and a funnel, from clicks as JSON.

    bronze, silver, dead_letters, reconciliation   as in the pipeline etl
    pages      views of each page in each window; clicks that come late are added to theirs
    funnel     how many clicks of each kind in each hour: view, cart, checkout, purchase
    sessions   clicks of a visitor with no gap between them, written when they are over

A click is `{"visitor": …, "page": …, "action": …, "at": …}`. Two queries read the topic: one lands
batches in tables, the other keeps the open sessions of every visitor as its state.
"""

from __future__ import annotations

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.demonstrations import CLICKS
from moldau.programs.pipelines.errors import SettingError
from moldau.programs.pipelines.job import Batch, Beside, Job, Work
from moldau.programs.pipelines.landing import TABLES, land_all
from moldau.programs.pipelines.parsing import parsed, read_schema
from moldau.programs.pipelines.pipeline import Pipeline
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.sessions import OUTPUT, SessionProcessor
from moldau.programs.pipelines.settings import setting

__all__ = ["PIPELINE", "ClickSettings", "ensure_window", "judged", "land", "run", "sessions_of"]

CLICK = "visitor string, page string, action string, at timestamp"
US_PER_S = 1_000_000


@dataclass(frozen=True, kw_only=True)
class ClickSettings:
    """What makes a session, and how late a click may come."""

    gap_s: int = setting(1_800, "seconds without a click that end a session", least=1)
    window: str = setting("1 minute", "over which views of a page are counted")
    late_after_s: int = setting(600, "how long after it happened a click may still be written")
    letters: str = setting("", "the topic that dead letters go to; nothing: only the table")
    size_max: int = setting(65_536, "bytes; a larger value goes to the dead letters")
    compact_every: int = setting(100, "batches between compactions; 0: never")
    batch_size: int = setting(1_000_000, "records that a batch takes at most", least=1)


def run(job: Job, settings: ClickSettings) -> None:
    """Until it is interrupted, or all that is available is read."""
    records = job.records(maxOffsetsPerTrigger=str(settings.batch_size))
    ensure_window(records, settings.window)
    work = Work(
        name="clickstream",
        tables=TABLES,
        land=lambda frame, batch: land(frame, batch, settings),
        compact_every=settings.compact_every,
        keeps_records=False,
        beside=(Beside("sessions", sessions_of(records, settings)),),
    )
    job.run(work, records)


def ensure_window(records: DataFrame, window: str) -> None:
    """Return if Spark takes it for a length of time."""
    try:
        records.select(sql.window("timestamp", window)).schema  # noqa: B018 - it is analysed
    except PySparkException as error:
        raise SettingError(
            f"window is a length of time such as '1 minute', and not {window!r}"
        ) from error


def judged(records: DataFrame, settings: ClickSettings) -> DataFrame:
    """The records as clicks, or with the reason why not."""
    return parsed(
        records,
        "json",
        read_schema(CLICK),
        size_max=settings.size_max,
        event_time="at",
        late_after_s=settings.late_after_s,
    )


def land(records: DataFrame, batch: Batch, settings: ClickSettings) -> Counts:
    """One batch: into its tables, and added up by page and by kind of click."""
    rows = judged(records, settings)
    clicks, counts = land_all(rows, read_schema(CLICK).names, batch, letters=settings.letters)

    window = sql.window("at", settings.window)["start"].alias("window")
    pages = clicks.groupBy(window, "page").agg(sql.count("*").alias("views"))
    batch.tables.add_up("pages", pages.toArrow(), ["window", "page"], batch.number)

    hour = sql.date_trunc("hour", "at").alias("hour")
    funnel = clicks.groupBy(hour, "action").agg(sql.count("*").alias("clicks"))
    batch.tables.add_up("funnel", funnel.toArrow(), ["hour", "action"], batch.number)

    return counts


def sessions_of(records: DataFrame, settings: ClickSettings) -> DataFrame:
    """The sessions that are over, as a stream."""
    clicks = (
        judged(records, settings)
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
    tables=(
        *("bronze", "silver", "dead_letters", "reconciliation"),
        *("pages", "funnel", "sessions"),
    ),
    charts={
        "Top pages": ("pages", "page", "views"),
        "Funnel": ("funnel", "action", "clicks"),
        "Views by hour": ("pages", "window", "views"),
        "Sessions by the page they begin at, in clicks": ("sessions", "entry", "clicks"),
    },
    demonstration=CLICKS,
)
