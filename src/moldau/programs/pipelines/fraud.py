"""Payments by card: two rules and a model find fraud, and alerts are in a topic within seconds.

    bronze, silver, dead_letters, reconciliation   as in the pipeline etl
    shops      payments and their amount, by the hour and the kind of shop
    alerts     payments that a rule or the model rejects; also a topic, each alert once
    cases      alerts of one card without a quiet time between them, written when they are over

A payment is `{"id": …, "card": …, "shop": …, "amount": …, "lat": …, "lon": …, "at": …}`, and the
key of its record is the card. Two queries read the topic: one lands batches in tables, the other
keeps every card's past as its state (`cards`) and scores what comes out of it.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.cards import OUTPUT, CardLogic
from moldau.programs.pipelines.demonstrations import PAYMENTS
from moldau.programs.pipelines.job import Batch, Beside, Job, Work
from moldau.programs.pipelines.landing import TABLES, land_all
from moldau.programs.pipelines.model import load_model, scored
from moldau.programs.pipelines.parsing import parsed, read_schema
from moldau.programs.pipelines.pipeline import Pipeline
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.settings import setting
from moldau.programs.pipelines.stateful import keyed

__all__ = ["PIPELINE", "FraudSettings", "judged", "land", "land_alerts", "rules", "run"]

PAYMENT = (
    "id string, card string, shop string, city string, amount double, lat double, lon double,"
    " at timestamp"
)


@dataclass(frozen=True, kw_only=True)
class FraudSettings:
    """What is suspicious, and where alerts go."""

    velocity_max: int = setting(5, "payments in velocity_s seconds that are still no burst")
    velocity_s: int = setting(120, "seconds in which a card's payments are counted", least=1)
    kmh_max: int = setting(900, "how fast a card may travel")
    travel_km: int = setting(150, "below this distance speed does not matter")
    quiet_s: int = setting(900, "seconds without an alert that end a case", least=1)
    model: str = setting("", "a pickled scikit-learn classifier, or 'seed:7' to train one here")
    score_min: int = setting(80, "from so many per cent on the model's word is an alert")
    alerts: str = setting("", "the topic that alerts go to; nothing: only the table")
    letters: str = setting("", "the topic that dead letters go to; nothing: only the table")
    late_after_s: int = setting(600, "how long after it happened a payment may still be written")
    size_max: int = setting(65_536, "bytes; a larger value goes to the dead letters")
    compact_every: int = setting(100, "batches between compactions; 0: never")
    batch_size: int = setting(1_000_000, "records that a batch takes at most", least=1)


def run(job: Job, settings: FraudSettings) -> None:
    """Until it is interrupted, or all that is available is read."""
    model = load_model(settings.model, job.files)
    records = job.records(maxOffsetsPerTrigger=str(settings.batch_size))
    found = scored(_suspected(records, settings), model, settings.score_min)
    alerts = Beside("alerts", found, lambda frame, batch: land_alerts(frame, batch, settings))
    work = Work(
        name="fraud",
        tables=TABLES,
        land=lambda frame, batch: land(frame, batch, settings),
        compact_every=settings.compact_every,
        keeps_records=False,
        beside=(alerts,),
    )
    job.run(work, records)


def judged(records: DataFrame, settings: FraudSettings) -> DataFrame:
    """The records as payments, or with the reason why not."""
    return parsed(
        records,
        "json",
        read_schema(PAYMENT),
        size_max=settings.size_max,
        event_time="at",
        late_after_s=settings.late_after_s,
        needed=("id", "card", "amount", "lat", "lon", "at"),
    )


def land(records: DataFrame, batch: Batch, settings: FraudSettings) -> Counts:
    """One batch: into its tables, and added up by the kind of shop."""
    rows = judged(records, settings)
    paid, counts = land_all(rows, read_schema(PAYMENT).names, batch, letters=settings.letters)

    hour = sql.date_trunc("hour", "at").alias("hour")
    sums = (sql.count("*").alias("payments"), sql.sum("amount").alias("amount"))
    shops = paid.groupBy(hour, "shop").agg(*sums)
    batch.tables.add_up("shops", shops.toArrow(), ["hour", "shop"], batch.number)

    return counts


def rules(settings: FraudSettings) -> CardLogic:
    """What runs with the state of each card."""
    return CardLogic(
        velocity_max=settings.velocity_max,
        velocity_s=settings.velocity_s,
        kmh_max=settings.kmh_max,
        travel_km=settings.travel_km,
        quiet_s=settings.quiet_s,
    )


def _suspected(records: DataFrame, settings: FraudSettings) -> DataFrame:
    """Each payment with what the rules say of it, and cases that are over."""
    paid = judged(records, settings).where("reason is null")
    columns = ("row.*", "offset", sql.unix_micros("row.at").alias("at_us"))
    return keyed(
        paid.select(*columns),
        "card",
        rules(settings),
        OUTPUT,
        time="at",
        late_after_s=settings.late_after_s,
    )


def land_alerts(found: DataFrame, batch: Batch, settings: FraudSettings) -> None:
    """Alerts into their table and topic, and cases into theirs."""
    times = {"at": sql.timestamp_micros("at_us"), "ended": sql.timestamp_micros("ended_us")}
    rows = found.withColumns(times)
    columns = ("card", "at", "amount", "reasons", "score", "velocity", "kmh", "ratio")
    alerts = rows.where("kind = 'payment' and reasons != ''").select("id", *columns)
    cases = rows.where("kind = 'case'").select("card", "at", "ended", "alerts", "amount")
    if settings.alerts:
        value = sql.to_json(sql.struct(*alerts.columns))
        batch.send(
            settings.alerts, alerts.select(sql.col("card").alias("key"), value.alias("value"))
        )
    batch.tables.append("alerts", alerts, batch.number)
    batch.tables.append("cases", cases, batch.number)


PIPELINE = Pipeline(
    name="fraud",
    description="payments by card into alerts by rules with state and a model, each alert once",
    settings=FraudSettings,
    run=run,
    tables=(
        *("bronze", "silver", "dead_letters", "reconciliation"),
        *("shops", "alerts", "cases"),
    ),
    charts={
        "Amount by kind of shop": ("shops", "shop", "amount"),
        "Payments by hour": ("shops", "hour", "payments"),
        "Amount of alerts by reason": ("alerts", "reasons", "amount"),
        "Alerts by hour, in amount": ("alerts", "at", "amount"),
    },
    demonstration=PAYMENTS,
)
