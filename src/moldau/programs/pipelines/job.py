"""Runs a pipeline: one query from a topic, whose batches a function puts into tables.

    def land(records: DataFrame, batch: Batch) -> Counts: …

    job.run(Work(tables, land), records)

`land` gets the records of one batch and the tables; it returns how many rows it put where.
The job writes that into the table `reconciliation` when all the others are written. A batch that is
run again finds what it did before and does the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError, Py4JNetworkError
from pyspark.errors import PySparkException

from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.batch import Batch, Ranges
from moldau.programs.pipelines.checkpoints import Checkpoint, Landed, Owner
from moldau.programs.pipelines.errors import BatchStoppedError, PipelineError, StoppedError
from moldau.programs.pipelines.lag import lag_behind
from moldau.programs.pipelines.outputs import OutputTopics
from moldau.programs.pipelines.progress import Besides, Progress, tasks_running
from moldau.programs.pipelines.reconciliation import Counts, count_of, note
from moldau.programs.pipelines.route import Route
from moldau.programs.pipelines.tables import DELTA, STORAGE, LakeTables, highest_offsets
from moldau.spark.errors import sentence_of
from moldau.spark.lake.store import NO_ROOM
from moldau.spark.lake.transactions import open_table
from moldau.spark.options import read_options
from moldau.spark.session import FIRST_POOL
from moldau.spark.source.columns import RANGES, all_columns, is_of_ranges
from moldau.spark.source.rows import Fetching

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery
    from pyspark.sql.streaming.readwriter import DataStreamReader, DataStreamWriter

__all__ = ["Beside", "Job", "Work", "landing", "why"]

CAUSE = re.compile(r"^(?:E\s+|Caused by: )?[\w.]*(?:Exception|Error): (.+)$", re.MULTILINE)
LOOK_AROUND_S = 1
"""How long one query is waited for before the others, and whether to stop, are looked at."""
ENDED = re.compile(r"terminated with exception: (.+?)(?: SQLSTATE: \w+)?$")
"""Spark's own sentence about a query, behind its ids."""
LATE = "Python worker failed to connect back"
LATE_WORKER = "a Python worker of Spark needed more than the 10 s that Spark gives it to start"
OTHER_STATE = re.compile(r"\[STATE_STORE_(?:KEY|VALUE)_SCHEMA_NOT_COMPATIBLE\]")
OTHER_VERSION = (
    "the state in this checkpoint was kept by another version of the pipeline, in another form:"
    " begin with a new checkpoint and a new lake"
)
CANCELLED = re.compile(r"org\.apache\.spark\.SparkException: .*cancelled.*")
"""By which Spark knows, too, that a batch did not fail but was stopped."""
STARTS_MAX = 3
"""Of the queries, if the machine is too busy; they go on behind the last whole batch."""
AT_MOST = "maxOffsetsPerTrigger"
QUERY_ID = "sql.streaming.queryId"
NS_PER_MS = 1_000_000
POOL = "spark.scheduler.pool"
"""Of a query each, so that the tasks of one do not wait until all of another's are done."""
MAKE_ROOM = (
    " where the checkpoint or Spark's own files are; make room, and start the pipeline again: it"
    " goes on behind the last whole batch"
)
JAVA_ENDED = (
    "Spark's Java process has ended; if there was no room for it in memory, set"
    " spark.driver.memory, and start the pipeline again: it goes on behind the last whole batch"
)


@dataclass(frozen=True, slots=True)
class Beside:
    """A further query, whose rows go into a table as they are, or where `land` puts them."""

    table: str
    rows: DataFrame
    land: Callable[[DataFrame, Batch], None] | None = None
    """Gets each batch as a frame; the same batch may come again after a crash."""
    keeps_rows: bool = True
    """Rows of a batch stay in memory; false where `land` looks at them once, for less work."""
    is_urgent: bool = False
    """Its tasks go before those of other queries."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a pipeline does with each batch."""

    tables: Mapping[str, str]
    """The tables that hold a row for a record, and what their columns of its place begin with."""
    land: Callable[[DataFrame, Batch], Counts]
    compact_every: int = 0
    """Batches between compactions; 0: never."""
    beside: Sequence[Beside] = ()
    keeps_records: bool = True
    """Records of a batch stay in memory; false where `land` looks at them once, for less work."""
    every_s: int = 0
    """From batch to batch of these tables, not of the queries beside; 0: one after the other."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """Where from, where to, and for how long."""

    name: str
    """Of the pipeline: it owns the checkpoint."""
    spark: SparkSession
    files: Files
    clock: Clock
    show: Callable[[str], None]
    """Gets a line for each batch, and one now and then while a batch takes long."""
    route: Route
    available_now: bool = False
    """End when all is read that is there now, instead of waiting for more."""
    is_stopping: Callable[[], bool] = lambda: False
    """Whether to stop early; asked every second."""

    def records(self, at_most: int | None = None) -> DataFrame:
        """The topic, as Spark's Kafka source shows it; a batch takes so many records of it."""
        return self._read(self.spark.readStream, at_most)

    def ranges(self, at_most: int | None = None) -> DataFrame:
        """The topic as ranges of offsets, which the tasks of a batch fetch.

        Given to `run`, `land` gets the records as ever. What is made of them as they are can begin
        in the task that fetches them (early.py).
        """
        return self._read(self.spark.readStream.schema(RANGES), at_most)

    def _read(self, reader: DataStreamReader, at_most: int | None) -> DataFrame:
        more = {} if at_most is None else {AT_MOST: str(at_most)}
        options = self.route.source_options(**more)
        try:
            return reader.format("moldau").options(**options).load()
        except PySparkException as error:
            raise PipelineError(why(error)) from error

    def run(self, work: Work, records: DataFrame) -> None:
        """Until it is interrupted, or all that is available is read."""
        checkpoint = Checkpoint(self.route.checkpoint, self.files)
        landed = self._landed(work, checkpoint)
        progress = Progress(self.show, self.clock)
        main = records.writeStream.queryName(f"{self.name}-{self.route.topic}").foreachBatch(
            lambda frame, number: self._land(work, landed, progress, checkpoint, frame, number)
        )
        writers = [(more, self._beside(more)) for more in work.beside]
        for starts_left in reversed(range(STARTS_MAX)):
            try:
                query = self._start(main, checkpoint.query_path, work.every_s)
                besides = {
                    more.table: self._start(
                        writer, f"{checkpoint.path}/{more.table}", is_urgent=more.is_urgent
                    )
                    for more, writer in writers
                }
                self._await(query, besides, progress)
            except PySparkException as error:
                if not starts_left or LATE not in str(error):
                    raise PipelineError(why(error)) from error
                progress.line(f"  {LATE_WORKER}; the queries start again")
            except (ConnectionError, Py4JNetworkError) as error:
                raise PipelineError(JAVA_ENDED) from error
            else:
                return

    def _beside(self, more: Beside) -> DataStreamWriter:
        name = f"{self.name}-{more.table}-{self.route.topic}"
        if more.land:
            return more.rows.writeStream.queryName(name).foreachBatch(
                lambda frame, number: self._land_beside(more, frame, number)
            )
        options = {f"{STORAGE}{key}": text for key, text in self.route.storage.items()}
        options["path"] = self.route.table(more.table)
        return more.rows.writeStream.queryName(name).format(DELTA).options(**options)

    def _start(
        self,
        writer: DataStreamWriter,
        checkpoint: str,
        every_s: int = 0,
        *,
        is_urgent: bool = False,
    ) -> StreamingQuery:
        writer = writer.option("checkpointLocation", checkpoint)
        if self.available_now:
            writer = writer.trigger(availableNow=True)
        elif every_s:
            writer = writer.trigger(processingTime=f"{every_s} seconds")
        context = self.spark.sparkContext
        pool = FIRST_POOL if is_urgent else checkpoint
        context.setLocalProperty(POOL, pool)  # the query's thread takes it over
        try:
            return writer.start()
        finally:
            context.setLocalProperty(POOL, None)  # type: ignore[arg-type]  # takes it away

    def _await(
        self, query: StreamingQuery, besides: Mapping[str, StreamingQuery], progress: Progress
    ) -> None:
        """Until all have ended, one has failed, or it is to stop."""
        queries, others = [query, *besides.values()], Besides(besides, self.clock)
        try:
            while any(each.isActive for each in queries):
                for each in queries:
                    each.awaitTermination(LOOK_AROUND_S)
                    if self.is_stopping():
                        raise StoppedError(f"{query.name} was stopped")
                self._report(query, others, progress)
            for each in queries:
                each.awaitTermination()  # raises, if it has failed since it was looked at
            for line in others.finished():
                progress.line(line)
        finally:
            for each in queries:
                each.stop()

    def _report(self, query: StreamingQuery, others: Besides, progress: Progress) -> None:
        for line in others.finished_lately():
            progress.line(line)
        running = others.running()
        progress.look(lambda: tasks_running(self.spark), running)
        is_waiting = query.isActive and not query.status["isTriggerActive"]
        if is_waiting and not running and not self.available_now:
            progress.idle()

    def _landed(self, work: Work, checkpoint: Checkpoint) -> Landed:
        owner = Owner(self.name, self.route.topic, self.route.lake)
        noted = checkpoint.landed(owner)
        if noted is not None:
            return noted
        for more in work.beside:
            if open_table(self.route.table(more.table), dict(self.route.storage)) is not None:
                raise PipelineError(
                    f"the table {self.route.table(more.table)} was written under another checkpoint"
                    " and would be doubled under a new one: give that checkpoint, or a new lake"
                )
        landed = {
            name: highest_offsets(self.route.table(name), self.route.storage, prefix)
            for name, prefix in work.tables.items()
        }
        checkpoint.begin(owner, landed)
        return landed

    def _land_beside(self, more: Beside, frame: DataFrame, number: int) -> None:
        assert more.land is not None
        batch = self._batch(number, {}, lambda step: None)
        with landing(batch):  # a frame that is not kept is computed for each look, state and all
            more.land(batch.keep(frame) if more.keeps_rows else frame, batch)

    def _batch(
        self,
        number: int,
        landed: Landed,
        begin: Callable[[str], None],
        ranges: Ranges | None = None,
    ) -> Batch:
        query_id = self.spark.sparkContext.getLocalProperty(QUERY_ID)
        assert query_id is not None, "Spark names the query to the handler of its batches"
        route = self.route
        tables = LakeTables(route.lake, route.storage, landed, query_id, self.clock, begin)
        topics = OutputTopics(route.bootstrap, route.source, query_id, begin)
        return Batch(number, tables, topics, ranges)

    def _ranges(self, frame: DataFrame) -> Ranges | None:
        if not is_of_ranges(frame.schema):
            return None
        options = read_options(self.route.source_options(), streaming=True)
        schema = all_columns(with_headers=options.has_headers)
        fetching = Fetching(options, schema)
        return Ranges(frame, fetching, frame.mapInArrow(fetching, schema))

    def _land(
        self,
        work: Work,
        landed: Landed,
        progress: Progress,
        checkpoint: Checkpoint,
        frame: DataFrame,
        number: int,
    ) -> None:
        began_ns = self.clock.monotonic_ns()
        ranges = self._ranges(frame)

        def begin(step: str) -> None:
            progress.begin(f"batch {number}: {step}")

        batch = self._batch(number, landed, begin, ranges)
        tables = batch.tables
        records = ranges.records if ranges else frame
        begin("reading")
        with landing(batch):
            counts = work.land(batch.keep(records) if work.keeps_records else records, batch)
        took_ms = (self.clock.monotonic_ns() - began_ns) // NS_PER_MS
        note(tables, number, counts, took_ms)
        lag = lag_behind(self.route, checkpoint.ends_of(number))
        progress.done(count_of(number, counts, took_ms, lag))
        if work.compact_every and (number + 1) % work.compact_every == 0:
            done = tables.compact(list(work.tables))
            progress.done(f"compaction: {done.removed} files became {done.added}")


@contextmanager
def landing(batch: Batch) -> Iterator[None]:
    """Let go of what the batch has kept, and raise briefly where its query was stopped.

    Spark looks through the whole text of an error for a sign that the query was stopped, by an
    expression that overflows its stack where a trace of Java is in the text.
    """
    try:
        yield
    except (PySparkException, Py4JError) as error:
        if found := CANCELLED.search(str(error)):
            raise BatchStoppedError(found[0]) from None
        raise
    finally:
        batch.let_go()


def why(error: PySparkException) -> str:
    """What went wrong: our own sentence, or else the innermost that Spark has."""
    sentence = sentence_of(error)
    causes = CAUSE.findall(str(error))
    if not sentence.startswith("[STREAM_FAILED]"):
        return sentence
    if LATE in sentence:
        return f"{LATE_WORKER}: is the machine busy? Start the pipeline again, and it goes on"
    if OTHER_STATE.search(sentence):
        return OTHER_VERSION
    if causes:
        remedy = MAKE_ROOM if causes[-1].strip() == NO_ROOM else ""
        return f"the query ended: {causes[-1].strip()}{remedy}"
    ended = ENDED.search(sentence)
    return f"the query ended: {ended[1]}" if ended else sentence
