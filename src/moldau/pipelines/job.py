"""Runs a pipeline: one query from a topic, whose batches a function puts into tables.

    def land(records: DataFrame, batch: Batch) -> Counts: …

    job.run(Work("etl", tables, land))

`land` gets the records of one batch, in memory, and the tables; it says how many rows it put where.
The job writes that into the table `reconciliation` when all the others are written. A batch that is
run again finds what it did before and does the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from pyspark.errors import PySparkException

from moldau.pipelines.checkpoints import Checkpoint, Landed, Owner
from moldau.pipelines.errors import PipelineError
from moldau.pipelines.reconciliation import Counts, count_of, note
from moldau.pipelines.tables import DELTA, STORAGE, LakeTables, highest_offsets
from moldau.ports.clock import Clock
from moldau.ports.files import Files
from moldau.quick_dataclass import dataclass
from moldau.spark.errors import sentence_of
from moldau.spark.lake.transactions import open_table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery
    from pyspark.sql.streaming.readwriter import DataStreamWriter

__all__ = ["Batch", "Beside", "Job", "Work", "why"]

CAUSE = re.compile(r"^(?:E\s+|Caused by: )?[\w.]*(?:Exception|Error): (.+)$", re.MULTILINE)
LOOK_AROUND_S = 1
"""How long one query is waited for before the others are looked at."""
QUERY_ID = "sql.streaming.queryId"
NS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch of a query, and where its rows go."""

    number: int
    tables: LakeTables


@dataclass(frozen=True, slots=True)
class Beside:
    """A further query, whose rows go into a table as they are."""

    table: str
    rows: DataFrame


@dataclass(frozen=True, slots=True)
class Work:
    """What a pipeline does with each batch."""

    name: str
    tables: Mapping[str, str]
    """The tables that hold a row for a record, and what their columns of its place begin with."""
    land: Callable[[DataFrame, Batch], Counts]
    compact_every: int = 0
    """Batches between compactions; 0: never."""
    beside: Sequence[Beside] = ()


@dataclass(frozen=True, kw_only=True)
class Job:
    """Where from, where to, and for how long."""

    spark: SparkSession
    files: Files
    clock: Clock
    tell: Callable[[str], None]
    """Gets a line for each batch."""
    bootstrap: str
    topic: str
    lake: str
    checkpoint: str
    available_now: bool = False
    """End when all is read that is there now, instead of waiting for more."""
    source: Mapping[str, str] = field(default_factory=dict)
    """Further options of the source, such as `kafka.security.protocol`."""
    storage: Mapping[str, str] = field(default_factory=dict)

    def records(self, **more: str) -> DataFrame:
        """The topic, as Spark's Kafka source shows it."""
        options = {
            "kafka.bootstrap.servers": self.bootstrap,
            "subscribe": self.topic,
            "startingOffsets": "earliest",
            "includeHeaders": "true",
            **more,
            **self.source,
        }
        try:
            return self.spark.readStream.format("moldau").options(**options).load()
        except PySparkException as error:
            raise PipelineError(why(error)) from error

    def run(self, work: Work, records: DataFrame) -> None:
        """Until it is interrupted, or all that is available is read."""
        checkpoint = Checkpoint(self.checkpoint, self.files)
        landed = self._landed(work, checkpoint)
        main = records.writeStream.queryName(f"{work.name}-{self.topic}").foreachBatch(
            lambda frame, number: self._land(work, landed, frame, number)
        )
        writers = {checkpoint.query_path: main}
        for more in work.beside:
            name = f"{work.name}-{more.table}-{self.topic}"
            writer = more.rows.writeStream.queryName(name).format(DELTA)
            options = {f"{STORAGE}{key}": text for key, text in self.storage.items()}
            options["path"] = f"{self.lake}/{more.table}"
            writers[f"{checkpoint.path}/{more.table}"] = writer.options(**options)
        try:
            self._await([self._start(writer, path) for path, writer in writers.items()])
        except PySparkException as error:
            raise PipelineError(why(error)) from error

    def _start(self, writer: DataStreamWriter, checkpoint: str) -> StreamingQuery:
        writer = writer.option("checkpointLocation", checkpoint)
        return (writer.trigger(availableNow=True) if self.available_now else writer).start()

    def _await(self, queries: Sequence[StreamingQuery]) -> None:
        """Until all have ended, or one has failed."""
        try:
            while any(query.isActive for query in queries):
                for query in queries:
                    query.awaitTermination(LOOK_AROUND_S)
        finally:
            for query in queries:
                query.stop()

    def _landed(self, work: Work, checkpoint: Checkpoint) -> Landed:
        owner = Owner(work.name, self.topic, self.lake)
        noted = checkpoint.landed(owner)
        if noted is not None:
            return noted
        for more in work.beside:
            if open_table(f"{self.lake}/{more.table}", dict(self.storage)) is not None:
                raise PipelineError(
                    f"the table {self.lake}/{more.table} was written under another checkpoint, and"
                    " would be doubled under a new one: give that checkpoint, or a new lake"
                )
        landed = {
            name: highest_offsets(f"{self.lake}/{name}", self.storage, prefix)
            for name, prefix in work.tables.items()
        }
        checkpoint.begin(owner, landed)
        return landed

    def _land(self, work: Work, landed: Landed, frame: DataFrame, number: int) -> None:
        began_ns = self.clock.monotonic_ns()
        query_id = self.spark.sparkContext.getLocalProperty(QUERY_ID)
        assert query_id is not None, "Spark names the query to whoever handles its batches"
        tables = LakeTables(self.lake, self.storage, landed, query_id, self.clock)
        kept = frame.persist()
        try:
            counts = work.land(kept, Batch(number, tables))
        finally:
            kept.unpersist()
        took_ms = (self.clock.monotonic_ns() - began_ns) // NS_PER_MS
        note(tables, number, counts, took_ms)
        self.tell(count_of(number, counts, took_ms))
        if work.compact_every and (number + 1) % work.compact_every == 0:
            done = tables.compact(list(work.tables))
            self.tell(f"compaction: {done.removed} files became {done.added}")


def why(error: PySparkException) -> str:
    """What went wrong: our own sentence, or else the innermost that Spark has."""
    sentence = sentence_of(error)
    causes = CAUSE.findall(str(error))
    if sentence.startswith("[STREAM_FAILED]") and causes:
        return f"the query ended: {causes[-1].strip()}"
    return sentence
