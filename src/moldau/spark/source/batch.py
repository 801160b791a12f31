"""A batch read: planned once, with the offsets that the query's filters leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSourceReader, Filter, InputPartition

from moldau.spark.options import SourceOptions
from moldau.spark.source.connections import connection_to
from moldau.spark.source.positions import (
    Connect,
    Offsets,
    Positions,
    ensure_all_there,
    ensure_nothing_lost,
)
from moldau.spark.source.pushdown import Kept, kept_by
from moldau.spark.source.ranges import Range, tasks_of
from moldau.spark.source.rows import Task, batches_of

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.types import StructType


class BatchReader(DataSourceReader):
    """Reads from the starting to the ending offsets."""

    def __init__(
        self, options: SourceOptions, schema: StructType, connect: Connect = connection_to
    ) -> None:
        self._options = options
        self._connect = connect
        self._schema = schema
        self._kept = Kept()

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        """Note what they leave, and hand all of them back: Spark applies them to the rows."""
        self._kept = kept_by(filters)
        return filters

    def partitions(self) -> list[InputPartition]:
        """One task for each partition with much to read, more where `minPartitions` says so."""
        positions = Positions(self._connect(self._options.connection), self._options)
        parts = positions.partitions()
        start, end = positions.starting(parts), positions.ending(parts)
        start, end = self._available(positions, start), self._there_by_now(positions, end)
        ranges = [Range(part, start[part], end[part]) for part in parts]
        tasks = tasks_of(
            self._narrowed(ranges),
            at_least=self._options.min_partitions,
            at_most_each=self._options.max_per_partition,
        )
        return [Task(one) for one in tasks]

    def _available(self, positions: Positions, start: Offsets) -> Offsets:
        earliest = positions.earliest(start)
        if self._options.fails_on_data_loss:
            ensure_nothing_lost(start, earliest)
        return {part: max(offset, earliest[part]) for part, offset in start.items()}

    def _there_by_now(self, positions: Positions, end: Offsets) -> Offsets:
        """Offsets that a user names may be beyond what there is; a task would wait for them."""
        if self._options.ending.offsets is None:
            return end
        latest = positions.latest(end)
        if self._options.fails_on_data_loss:
            ensure_all_there(end, latest)
        return {part: min(offset, latest[part]) for part, offset in end.items()}

    def _narrowed(self, ranges: list[Range]) -> list[Range]:
        kept = self._kept
        chosen = [one for one in ranges if kept.has(one.part)]
        firsts = self._firsts_in_time(chosen)
        return [
            Range(
                part,
                max(start, kept.first, firsts[part]),
                end if kept.last is None else min(end, kept.last + 1),
            )
            for part, start, end in chosen
        ]

    def _firsts_in_time(self, ranges: list[Range]) -> Offsets:
        """The first offset of each at or after the time asked for; the end where there is none."""
        from_ms = self._kept.from_ms
        if from_ms is None:
            return {one.part: one.start for one in ranges}
        asked = dict.fromkeys((one.part for one in ranges), from_ms)
        found = self._connect(self._options.connection).at_time(asked)
        return {
            one.part: one.end if (offset := found[one.part]) is None else offset for one in ranges
        }

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Runs in a worker."""
        return batches_of(partition, self._options, self._schema)
