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

from dataclasses import dataclass
from functools import partial

import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from moldau.programs.pipelines.batch import Batch
from moldau.programs.pipelines.cards import OUTPUT, CardLogic
from moldau.programs.pipelines.demonstrations import PAYMENTS
from moldau.programs.pipelines.job import Beside, Job
from moldau.programs.pipelines.landing import judged, land_all, land_topic
from moldau.programs.pipelines.landing_settings import BatchSettings
from moldau.programs.pipelines.model import ensure_model, load_model, scored
from moldau.programs.pipelines.parsing import good
from moldau.programs.pipelines.pipeline import LANDED, Pipeline
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.settings import setting
from moldau.programs.pipelines.stateful import keyed

PAYMENT = (
    "id string, card string, shop string, city string, amount double, lat double, lon double,"
    " at timestamp"
)
NEEDED = ("id", "card", "amount", "lat", "lon", "at")
ALERT = ("id", "card", "at", "amount", "reasons", "score", "velocity", "kmh", "ratio")
CASE = ("card", "at", "ended", "alerts", "amount")


@dataclass(frozen=True, kw_only=True)
class FraudSettings(BatchSettings):
    """What is suspicious, and where alerts go."""

    velocity_max: int = setting(5, "payments in velocity_s seconds that are still no burst")
    velocity_s: int = setting(120, "seconds in which a card's payments are counted", least=1)
    kmh_max: int = setting(900, "how fast a card may travel")
    travel_km: int = setting(150, "below this distance speed does not matter")
    quiet_s: int = setting(900, "seconds without an alert that end a case", least=1)
    model: str = setting("", "a pickled scikit-learn classifier, or 'seed:7' to train one here")
    score_min: int = setting(80, "from so many per cent on the model's word is an alert")
    alerts: str = setting("", "the topic that alerts go to; nothing: only the table")
    late_after_s: int = setting(600, "how long after it happened a payment may still be written")
    tables_every_s: int = setting(
        10, "seconds from batch to batch of the tables; alerts do not wait for it; 0: none"
    )


def run(job: Job, settings: FraudSettings) -> None:
    """Until it is interrupted, or all that is available is read."""
    model = load_model(settings.model, job.files)
    records = job.records(settings.batch_size)
    payments = good(payments_of(records, settings))
    suspected = keyed(
        payments.selectExpr("row.*", "offset", "unix_micros(row.at) as at_us"),
        "card",
        rules(settings),
        OUTPUT,
        time="at",
        late_after_s=settings.late_after_s,
    )
    found = scored(suspected, model, settings.score_min)
    land_found = partial(land_alerts, settings=settings)
    alerts = Beside("alerts", found, land_found, keeps_rows=False, is_urgent=True)
    land_topic(job, records, land, settings, beside=[alerts])


def payments_of(records: DataFrame, settings: FraudSettings) -> DataFrame:
    """The records as payments, or with the reason why not."""
    late_after_s = settings.late_after_s
    return judged(records, PAYMENT, settings, needed=NEEDED, time="at", late_after_s=late_after_s)


def rules(settings: FraudSettings) -> CardLogic:
    """What runs with the state of each card."""
    return CardLogic(
        velocity_max=settings.velocity_max,
        velocity_s=settings.velocity_s,
        kmh_max=settings.kmh_max,
        travel_km=settings.travel_km,
        quiet_s=settings.quiet_s,
    )


def land(records: DataFrame, batch: Batch, settings: FraudSettings) -> Counts:
    """One batch: into its tables, and added up by the kind of shop."""
    paid, counts = land_all(payments_of(records, settings), batch, settings.letters)
    hour = sql.date_trunc("hour", "at").alias("hour")
    sums = (sql.count("*").alias("payments"), sql.sum("amount").alias("amount"))
    batch.add_up("shops", paid.groupBy(hour, "shop").agg(*sums), ["hour", "shop"])
    return counts


def land_alerts(found: DataFrame, batch: Batch, settings: FraudSettings) -> None:
    """Alerts into their table and topic, and cases into theirs: few rows, and soon."""
    times = {"at": sql.timestamp_micros("at_us"), "ended": sql.timestamp_micros("ended_us")}
    rows = found.where("kind = 'case' or reasons != ''").withColumns(times)
    columns = dict.fromkeys(("kind", *ALERT, *CASE))
    value = sql.to_json(sql.struct(*ALERT)).alias("value")
    few = rows.select(*columns, sql.col("card").alias("key"), value).toArrow()
    alerts = few.filter(pc.field("kind") == "payment")
    if settings.alerts:
        batch.send_few(settings.alerts, alerts.select(["key", "value"]))
    batch.append_few("alerts", alerts.select(ALERT))
    batch.append_few("cases", few.filter(pc.field("kind") == "case").select(CASE))


PIPELINE = Pipeline(
    name="fraud",
    description="payments by card into alerts by rules with state and a model, each alert once",
    settings=FraudSettings,
    run=run,
    check=lambda settings, files: ensure_model(settings.model, files),
    tables=(*LANDED, "shops", "alerts", "cases"),
    charts={
        "Amount by kind of shop": ("shops", "shop", "amount"),
        "Payments by hour": ("shops", "hour", "payments"),
        "Amount of alerts by reason": ("alerts", "reasons", "amount"),
        "Alerts by hour, in amount": ("alerts", "at", "amount"),
    },
    demonstration=PAYMENTS,
)
