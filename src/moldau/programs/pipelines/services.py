"""Events of several services about one order: is it done, has it failed, is it stuck?

    bronze, silver, dead_letters, reconciliation   as in the pipeline etl
    traffic    events by service and kind, in each hour
    orders     how each order ended, written once: completed, failed or stuck

An event is `{"order": …, "service": …, "event": …, "at": …}`, by the key of the order.
Events of an order may come in any order. One that has failed, or has had no end for `patience_s`
seconds, becomes a command to undo what was done, in the topic `commands`, once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as sql

from moldau.programs.pipelines.batch import Batch
from moldau.programs.pipelines.demonstrations import ORDER_EVENTS
from moldau.programs.pipelines.job import Beside, Job
from moldau.programs.pipelines.landing import judged, land_all, land_topic
from moldau.programs.pipelines.landing_settings import BatchSettings
from moldau.programs.pipelines.parsing import good
from moldau.programs.pipelines.pipeline import LANDED, Pipeline
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.settings import setting
from moldau.programs.pipelines.stateful import State, keyed

EVENT = "order string, service string, event string, at timestamp"
NEEDED = ("order", "service", "event", "at")
OUTPUT = "order string, outcome string, began_us bigint, seconds bigint, done string"
STEPS = ("ordered", "paid", "packed", "shipped")
US_PER_S, US_PER_MS = 1_000_000, 1_000


class Ended(NamedTuple):
    """An order that is over."""

    order: str
    outcome: str
    began_us: int
    seconds: int
    done: str
    """The steps that were taken, with commas between them."""


@dataclass(frozen=True, kw_only=True)
class OrderLogic:
    """A `Logic` of stateful.py; rows have order, event and at_us."""

    patience_s: int = 3_600

    def take(self, state: State, row: Row) -> Iterator[Ended]:
        if state.get("is_over"):
            return
        state["order"] = row.order
        state["began_us"] = min(row.at_us, state.get("began_us", row.at_us))
        state["last_us"] = max(row.at_us, state.get("last_us", row.at_us))
        state["events"] = sorted({*state.get("events", ()), row.event})
        if row.event.endswith("failed"):
            yield self._ended(state, "failed")
        elif set(STEPS) <= set(state["events"]):
            yield self._ended(state, "completed")

    def deadline_ms(self, state: State) -> int | None:
        """When it is stuck; and when one that is over is forgotten."""
        return int(state["began_us"] + self.patience_s * US_PER_S) // US_PER_MS + 1

    def expire(self, state: State, now_ms: int) -> Iterator[Ended]:
        if not state.get("is_over"):
            yield self._ended(state, "stuck")
        state.clear()

    def _ended(self, state: State, outcome: str) -> Ended:
        state["is_over"] = True
        done = ",".join(step for step in STEPS if step in state["events"])
        seconds = (state["last_us"] - state["began_us"]) // US_PER_S
        return Ended(state["order"], outcome, state["began_us"], seconds, done)


@dataclass(frozen=True, kw_only=True)
class ServiceSettings(BatchSettings):
    """How long an order may take, and where commands go."""

    patience_s: int = setting(3_600, "seconds after which an order without an end is stuck")
    commands: str = setting("", "the topic that commands to undo go to; nothing: none")
    late_after_s: int = setting(600, "how long after it happened an event may still be written")


def run(job: Job, settings: ServiceSettings) -> None:
    """Until it is interrupted, or all that is available is read."""
    records = job.records(settings.batch_size)
    events = good(events_of(records, settings))
    ended = keyed(
        events.selectExpr("row.*", "offset", "unix_micros(row.at) as at_us"),
        "order",
        OrderLogic(patience_s=settings.patience_s),
        OUTPUT,
        time="at",
        late_after_s=settings.late_after_s,
    )
    orders = Beside("orders", ended, partial(land_ended, settings=settings))
    land_topic(job, records, land, settings, beside=[orders])


def events_of(records: DataFrame, settings: ServiceSettings) -> DataFrame:
    """The records as events, or with the reason why not."""
    late_after_s = settings.late_after_s
    return judged(records, EVENT, settings, needed=NEEDED, time="at", late_after_s=late_after_s)


def land(records: DataFrame, batch: Batch, settings: ServiceSettings) -> Counts:
    """One batch: into its tables, and counted by service."""
    events, counts = land_all(events_of(records, settings), batch, settings.letters)
    hour = sql.date_trunc("hour", "at").alias("hour")
    traffic = events.groupBy(hour, "service", "event").agg(sql.count("*").alias("events"))
    batch.add_up("traffic", traffic, ["hour", "service", "event"])
    return counts


def land_ended(ended: DataFrame, batch: Batch, settings: ServiceSettings) -> None:
    """Orders that are over into their table, and what has to be undone into its topic."""
    orders = ended.withColumn("began", sql.timestamp_micros("began_us")).drop("began_us")
    if settings.commands:
        failed = orders.where("outcome != 'completed'")
        undo = failed.select(sql.lit("undo").alias("command"), "*")
        batch.send(settings.commands, undo, key="order")
    batch.append("orders", orders)


PIPELINE = Pipeline(
    name="services",
    description="events of services about orders into their ends, and commands where one failed",
    settings=ServiceSettings,
    run=run,
    tables=(*LANDED, "traffic", "orders"),
    charts={
        "Events by service": ("traffic", "service", "events"),
        "Events by hour": ("traffic", "hour", "events"),
        "Seconds of orders by their end": ("orders", "outcome", "seconds"),
    },
    demonstration=ORDER_EVENTS,
)
