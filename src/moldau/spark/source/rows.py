"""What a task does: a range of offsets in, Arrow batches out."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from pyspark.sql.datasource import InputPartition

from moldau.client import TopicPartition
from moldau.client.errors import OffsetGoneError, RefusedError, TimedOutError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.spark.errors import DataLossError
from moldau.spark.options import SourceOptions
from moldau.spark.source.columns import arrow_schema, fitted, is_of_ranges
from moldau.spark.source.connections import connection_to
from moldau.spark.source.positions import REMEDY
from moldau.spark.source.ranges import Range
from moldau.spark.worker_garbage import set_aside_what_is_loaded

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.types import StructType

log = logging.getLogger(__name__)


class Task(InputPartition):
    """Ranges that one task reads, as they travel to a worker."""

    def __init__(self, ranges: Sequence[Range]) -> None:
        super().__init__(tuple(tuple(one) for one in ranges))

    @property
    def ranges(self) -> list[Range]:
        """What to read."""
        return [Range(TopicPartition(*part), start, end) for part, start, end in self.value]


def batches_of(
    task: InputPartition, options: SourceOptions, schema: StructType
) -> Iterator[pa.RecordBatch]:
    """The records of a task. Spark makes up an empty task where a plan has none."""
    set_aside_what_is_loaded()
    if not isinstance(task, Task):
        return
    wanted = arrow_schema(schema)
    if is_of_ranges(schema):
        yield _rows_of(task.ranges, wanted)
        return
    for one in task.ranges:
        for batch in _read(one, options, tuple(wanted.names)):
            yield fitted(batch, wanted)


def _rows_of(ranges: Sequence[Range], schema: pa.Schema) -> pa.RecordBatch:
    import pyarrow as pa

    rows = ((*one.part, one.start, one.end) for one in ranges)
    values = zip(zip(*rows, strict=True), schema, strict=True)
    columns = [pa.array(column, field.type) for column, field in values]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


@dataclass(frozen=True, slots=True)
class Fetching:
    """Reads ranges, as a source hands them over, in the task that works on their records.

    So records need not become rows of Spark on their way: `ranges.mapInArrow(fetching, columns)`.
    """

    options: SourceOptions
    schema: StructType

    def __call__(self, ranges: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """All records of all ranges."""
        for batch in ranges:
            for row in batch.to_pylist():
                part = TopicPartition(row["topic"], row["partition"])
                task = Task([Range(part, row["start"], row["end"])])
                yield from batches_of(task, self.options, self.schema)


def _read(
    range_: Range, options: SourceOptions, columns: tuple[str, ...]
) -> Iterator[pa.RecordBatch]:
    connection = connection_to(options.connection)
    part, start, end = range_
    while start < end:
        try:
            yield from connection.read(
                part, start, end, isolation=options.isolation, columns=columns
            )
            return
        except OffsetGoneError as gone:
            _lost(str(gone), options, gone)
            if start >= gone.latest:
                return
            start = max(gone.earliest, start)
        except TimedOutError as late:
            if not _has_ended(late):
                raise
            _lost(f"{late.cause}, and the query was to read up to {end}", options, late)
            return


def _has_ended(late: TimedOutError) -> bool:
    """Whether nothing failed but that the log has no more records, for as long as a call takes."""
    cause = late.cause
    return isinstance(cause, RefusedError) and cause.error is ErrorCode.OFFSET_NOT_AVAILABLE


def _lost(what: str, options: SourceOptions, cause: Exception) -> None:
    if options.fails_on_data_loss:
        raise DataLossError(f"{what}: {REMEDY}") from cause
    log.warning("%s; the query goes on without these records", what)
