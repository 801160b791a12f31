"""Event sourcing: commands become events, events make accounts, and tables follow from events.

    bronze, silver, dead_letters, reconciliation   as in the pipeline etl; silver has the commands
    events       what has happened, by account and version; also a topic, each event once
    refusals     commands that cannot be, with the reason
    balances     a projection: every account as its events make it

A command is `{"id": …, "account": …, "command": …, "amount": …, "expected_version": …, "at": …}`,
amounts in cents; the key of its record is the account. Each account is the state of its key
(`accounts`): with an `expected_version` a command counts only if nothing came between. The topic
`snapshots` is compacted and has the last snapshot of every account, so a reader begins with it and
goes on with the events of later versions. `balances_of` makes the projection anew from all events.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from moldau.programs.pipelines.accounts import OUTPUT, AccountLogic
from moldau.programs.pipelines.batch import Batch
from moldau.programs.pipelines.demonstrations import COMMANDS
from moldau.programs.pipelines.job import Beside, Job
from moldau.programs.pipelines.landing import judged, land_all, land_topic
from moldau.programs.pipelines.landing_settings import BatchSettings
from moldau.programs.pipelines.outputs import make_compacted_topic
from moldau.programs.pipelines.parsing import good
from moldau.programs.pipelines.pipeline import LANDED, Pipeline
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.settings import setting
from moldau.programs.pipelines.stateful import keyed

COMMAND = (
    "id string, account string, command string, amount bigint, expected_version bigint,"
    " at timestamp"
)
NEEDED = ("id", "account", "command", "at")
WHAT = ("account", "version", "name", "amount", "command", "at")
SIGNED = "case name when 'deposited' then amount when 'withdrawn' then -amount else 0 end"


@dataclass(frozen=True, kw_only=True)
class SourcingSettings(BatchSettings):
    """Where events and snapshots go."""

    events: str = setting("", "the topic that events go to; nothing: only the table")
    snapshots: str = setting("", "the compacted topic that snapshots go to; nothing: none")
    snapshot_every: int = setting(10, "versions between snapshots of an account", least=1)


def run(job: Job, settings: SourcingSettings) -> None:
    """Until it is interrupted, or all that is available is read."""
    if settings.snapshots:
        make_compacted_topic(job.route, settings.snapshots)
    records = job.records(settings.batch_size)
    commands = good(judged(records, COMMAND, settings, needed=NEEDED))
    decided = keyed(
        commands.selectExpr("row.*", "offset", "unix_micros(row.at) as at_us"),
        "account",
        AccountLogic(snapshot_every=settings.snapshot_every),
        OUTPUT,
    )
    events = Beside("events", decided, partial(land_decided, settings=settings))
    land_topic(job, records, land, settings, beside=[events])


def land(records: DataFrame, batch: Batch, settings: SourcingSettings) -> Counts:
    """One batch of commands into its tables."""
    rows = judged(records, COMMAND, settings, needed=NEEDED)
    return land_all(rows, batch, settings.letters)[1]


def land_decided(decided: DataFrame, batch: Batch, settings: SourcingSettings) -> None:
    """Events into their table, topic and projection; snapshots into their topic."""
    rows = decided.withColumn("at", sql.timestamp_micros("at_us"))
    events = rows.where("kind = 'event'").select(*WHAT)
    if settings.events:
        batch.send(settings.events, events, key="account")
    if settings.snapshots:
        last = sql.max_by(sql.struct("version", "balance", "is_open"), "version").alias("last")
        snapshots = rows.where("kind = 'snapshot'").groupBy("account").agg(last)
        batch.send(settings.snapshots, snapshots.select("account", "last.*"), key="account")
    batch.append("refusals", rows.where("kind = 'refusal'").select(*WHAT))
    batch.add_up("balances", balances_of(events), ["account"])
    batch.append("events", events)


def balances_of(events: DataFrame) -> DataFrame:
    """The projection of these events: of all of them, or what a batch adds to it."""
    sums = (sql.sum(sql.expr(SIGNED)).alias("balance"), sql.count("*").alias("events"))
    return events.groupBy("account").agg(*sums)


PIPELINE = Pipeline(
    name="sourcing",
    description="commands into events with versions, snapshots, and balances that follow from them",
    settings=SourcingSettings,
    run=run,
    tables=(*LANDED, "events", "refusals", "balances"),
    charts={
        "Amounts by event": ("events", "name", "amount"),
        "Amounts by hour": ("events", "at", "amount"),
        "Refused amounts by reason": ("refusals", "name", "amount"),
    },
    demonstration=COMMANDS,
)
