"""A stream: planned trigger by trigger, from the offsets where one ended to those of the next.

Spark keeps the offsets in the query's checkpoint, written as its own connector writes them:
`{"topic": {"0": 23}}`. A range that was planned once is read again, to the same rows, after any
crash; the checkpoint has which ranges these are.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxRows,
    ReadMinRows,
    SupportsTriggerAvailableNow,
)

from moldau.client import TopicPartition
from moldau.platform.system.clock import SystemClock
from moldau.spark.errors import DataLossError
from moldau.spark.options import SourceOptions
from moldau.spark.source.connections import connection_to
from moldau.spark.source.positions import (
    REMEDY,
    Connect,
    Offsets,
    Positions,
    ensure_nothing_lost,
)
from moldau.spark.source.ranges import Range, limited, tasks_of, waiting
from moldau.spark.source.rows import Task, batches_of

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.types import StructType

Written = dict[str, dict[str, int]]
log = logging.getLogger(__name__)


class StreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """One query's view of its topics. Lives beside the driver; only `read` runs in workers."""

    def __init__(
        self, options: SourceOptions, schema: StructType, connect: Connect = connection_to
    ) -> None:
        self._options = options
        self._connect = connect
        self._schema = schema
        self._target: Offsets | None = None
        self._moved_at_ms: int | None = None

    @property
    def _positions(self) -> Positions:
        return Positions(self._connect(self._options.connection), self._options)

    def initialOffset(self) -> Written:
        """Where a query without a checkpoint begins."""
        positions = self._positions
        return written(positions.starting(positions.partitions()))

    def getDefaultReadLimit(self) -> ReadLimit:
        """What `latestOffset` gets unless the trigger asks for everything."""
        if self._options.max_per_trigger is not None:
            return ReadMaxRows(self._options.max_per_trigger)
        if self._options.min_per_trigger is not None:
            return ReadMinRows(self._options.min_per_trigger)
        return ReadAllAvailable()

    def prepareForTriggerAvailableNow(self) -> None:
        """What comes from now on is left to the next run."""
        positions = self._positions
        self._target = positions.latest(positions.partitions())

    def reportLatestOffset(self) -> Written:
        """How far the topics go, for the query's progress."""
        return written(self._ends(self._positions))

    def latestOffset(self, start: Written, limit: ReadLimit) -> Written:
        """Where the next trigger ends; at `start` where it would be too small yet."""
        positions = self._positions
        begun, ends = offsets_in(start), self._ends(positions)
        known = begun | positions.earliest([part for part in ends if part not in begun])
        self._ensure_none_ends_earlier(begun, ends)
        if not isinstance(limit, ReadAllAvailable):
            if self._is_too_little(waiting(known, ends)):
                return start
            if isinstance(limit, ReadMaxRows):
                ends = limited(known, ends, limit.max_rows)
        self._moved_at_ms = self._now_ms()
        return written(ends)

    def _ends(self, positions: Positions) -> Offsets:
        if self._target is not None:
            return dict(self._target)
        return positions.latest(positions.partitions())

    def _is_too_little(self, count: int) -> bool:
        least = self._options.min_per_trigger
        if least is None or count >= least or self._target is not None:
            return False
        if self._moved_at_ms is None:
            self._moved_at_ms = self._now_ms()
        return self._now_ms() - self._moved_at_ms < self._options.max_delay_ms

    def _now_ms(self) -> int:
        return SystemClock().monotonic_ns() // 1_000_000

    def _ensure_none_ends_earlier(self, begun: Offsets, ends: Offsets) -> None:
        """A topic that was made anew, or lost its end, goes on at the end that it has now.

        That is what Spark's own connector does. To wait for the old offset would leave out more.
        """
        for part, end in ends.items():
            if end < begun.get(part, 0):
                self._lost(
                    f"{part.topic}-{part.partition} ends at offset {end} and the query was at"
                    f" {begun[part]}: the topic was made anew or lost its end"
                )

    def _lost(self, what: str) -> None:
        if self._options.fails_on_data_loss:
            raise DataLossError(f"{what}; {REMEDY}")
        log.warning("%s; the query goes on without these records", what)

    def partitions(self, start: Written, end: Written) -> list[InputPartition]:
        """The tasks of one trigger. Partitions that are new begin at their first record."""
        begun, ends = offsets_in(start), offsets_in(end)
        positions = self._positions
        gone = [part for part in begun if part not in ends]
        if gone:
            self._lost(f"{gone[0].topic}-{gone[0].partition} is gone from what the query reads")
        moving = [part for part in ends if ends[part] > begun.get(part, 0)]
        earliest = positions.earliest(moving)
        if self._options.fails_on_data_loss:
            ensure_nothing_lost({part: begun.get(part, 0) for part in moving}, earliest)
        starts = {part: max(begun.get(part, 0), earliest[part]) for part in moving}
        ranges = [Range(part, starts[part], ends[part]) for part in moving]
        tasks = tasks_of(
            ranges,
            at_least=self._options.min_partitions,
            at_most_each=self._options.max_per_partition,
        )
        return [Task(one) for one in tasks]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Runs in a worker."""
        return batches_of(partition, self._options, self._schema)


def written(offsets: Offsets) -> Written:
    """As Spark's connector writes offsets."""
    found: Written = {}
    for part in sorted(offsets):
        found.setdefault(part.topic, {})[str(part.partition)] = offsets[part]
    return found


def offsets_in(read: Mapping[str, Mapping[str, Any]]) -> Offsets:
    """The other way round."""
    return {
        TopicPartition(topic, int(index)): int(offset)
        for topic, offsets in read.items()
        for index, offset in offsets.items()
    }
