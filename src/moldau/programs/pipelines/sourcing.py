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

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.accounts import OUTPUT, AccountLogic
from moldau.programs.pipelines.demonstrations import COMMANDS
from moldau.programs.pipelines.job import Batch, Beside, Job, Work
from moldau.programs.pipelines.landing import TABLES, land_all
from moldau.programs.pipelines.outputs import make_compacted_topic
from moldau.programs.pipelines.parsing import parsed, read_schema
from moldau.programs.pipelines.pipeline import Pipeline
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.settings import setting
from moldau.programs.pipelines.stateful import keyed

__all__ = ["PIPELINE", "SourcingSettings", "balances_of", "judged", "land", "land_decided", "run"]

COMMAND = (
    "id string, account string, command string, amount bigint, expected_version bigint,"
    " at timestamp"
)
SIGNED = "case name when 'deposited' then amount when 'withdrawn' then -amount else 0 end"


@dataclass(frozen=True, kw_only=True)
class SourcingSettings:
    """Where events and snapshots go."""

    events: str = setting("", "the topic that events go to; nothing: only the table")
    snapshots: str = setting("", "the compacted topic that snapshots go to; nothing: none")
    snapshot_every: int = setting(10, "versions between snapshots of an account", least=1)
    letters: str = setting("", "the topic that dead letters go to; nothing: only the table")
    size_max: int = setting(65_536, "bytes; a larger value goes to the dead letters")
    compact_every: int = setting(100, "batches between compactions; 0: never")
    batch_size: int = setting(1_000_000, "records that a batch takes at most", least=1)


def run(job: Job, settings: SourcingSettings) -> None:
    """Until it is interrupted, or all that is available is read."""
    if settings.snapshots:
        make_compacted_topic(job.route, settings.snapshots)
    records = job.records(maxOffsetsPerTrigger=str(settings.batch_size))
    commands = judged(records, settings).where("reason is null")
    decided = keyed(
        commands.select("row.*", "offset", sql.unix_micros("row.at").alias("at_us")),
        "account",
        AccountLogic(snapshot_every=settings.snapshot_every),
        OUTPUT,
    )
    beside = Beside("events", decided, lambda frame, batch: land_decided(frame, batch, settings))
    work = Work(
        name="sourcing",
        tables=TABLES,
        land=lambda frame, batch: land(frame, batch, settings),
        compact_every=settings.compact_every,
        keeps_records=False,
        beside=(beside,),
    )
    job.run(work, records)


def judged(records: DataFrame, settings: SourcingSettings) -> DataFrame:
    """The records as commands, or with the reason why not."""
    needed = ("id", "account", "command", "at")
    schema = read_schema(COMMAND)
    return parsed(records, "json", schema, size_max=settings.size_max, needed=needed)


def land(records: DataFrame, batch: Batch, settings: SourcingSettings) -> Counts:
    """One batch of commands into its tables."""
    rows = judged(records, settings)
    return land_all(rows, read_schema(COMMAND).names, batch, letters=settings.letters)[1]


def land_decided(decided: DataFrame, batch: Batch, settings: SourcingSettings) -> None:
    """Events into their table, topic and projection; snapshots into their topic."""
    what = ("account", "version", "name", "amount", "command")
    rows = decided.withColumn("at", sql.timestamp_micros("at_us"))
    events = rows.where("kind = 'event'").select(*what, "at")
    if settings.events:
        batch.send(settings.events, _records(events))
    if settings.snapshots:
        snapshots = rows.where("kind = 'snapshot'")
        last = snapshots.groupBy("account").agg(
            sql.max_by(sql.struct("version", "balance", "is_open"), "version").alias("last")
        )
        batch.send(settings.snapshots, _records(last.select("account", "last.*")))
    batch.tables.append(
        "refusals", rows.where("kind = 'refusal'").select(*what, "at"), batch.number
    )
    balances = balances_of(events).toArrow()
    batch.tables.add_up("balances", balances, ["account"], batch.number)
    batch.tables.append("events", events, batch.number)


def _records(rows: DataFrame) -> DataFrame:
    value = sql.to_json(sql.struct(*rows.columns)).alias("value")
    return rows.select(sql.col("account").alias("key"), value)


def balances_of(events: DataFrame) -> DataFrame:
    """The projection of these events: of all of them, or what a batch adds to it."""
    sums = (sql.sum(sql.expr(SIGNED)).alias("balance"), sql.count("*").alias("events"))
    return events.groupBy("account").agg(*sums)


PIPELINE = Pipeline(
    name="sourcing",
    description="commands into events with versions, snapshots, and balances that follow from them",
    settings=SourcingSettings,
    run=run,
    tables=(
        *("bronze", "silver", "dead_letters", "reconciliation"),
        *("events", "refusals", "balances"),
    ),
    charts={
        "Amounts by event": ("events", "name", "amount"),
        "Amounts by hour": ("events", "at", "amount"),
        "Refused amounts by reason": ("refusals", "name", "amount"),
    },
    demonstration=COMMANDS,
)
