"""What most first queries of a session run, so that Java has loaded the classes for it.

A source in Python with Arrow batches is read as a table and as a stream, filtered, handed to a
function in Python, added up, and written to files: the way of every pipeline, on a few rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    Filter,
    InputPartition,
)

from moldau.platform.system.files import SystemFiles
from moldau.platform.system.temporary import temporary_directory

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

__all__ = ["NAME", "RehearsalSource", "rehearse"]

NAME = "moldau-rehearsal"
PARTITIONS = 2
ROWS = 100
"""In each partition."""
Offset = dict[str, int]


class RehearsalSource(DataSource):
    """A few rows, always the same."""

    @classmethod
    def name(cls) -> str:
        return NAME

    def schema(self) -> str:
        return "key binary, value binary, partition int, offset bigint, timestamp timestamp"

    def reader(self, schema: StructType) -> _Table:
        return _Table()

    def streamReader(self, schema: StructType) -> _Stream:
        return _Stream()


class _Table(DataSourceReader):
    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        return filters

    def partitions(self) -> list[InputPartition]:
        return [InputPartition(number) for number in range(PARTITIONS)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        yield _rows_of(partition)


class _Stream(DataSourceStreamReader):
    """One batch of all the rows there are."""

    def initialOffset(self) -> Offset:
        return {"rows": 0}

    def latestOffset(self) -> Offset:  # type: ignore[override] # the older form, without a limit
        return {"rows": ROWS}

    def partitions(self, start: Offset, end: Offset) -> list[InputPartition]:
        return [InputPartition(number) for number in range(PARTITIONS)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        yield _rows_of(partition)


def _rows_of(partition: InputPartition) -> pa.RecordBatch:
    import pyarrow as pa

    numbers = range(ROWS)
    texts = pa.array([b'{"id": %d}' % number for number in numbers], pa.binary())
    columns = [
        texts,
        texts,
        pa.array([partition.value] * ROWS, pa.int32()),
        pa.array(numbers, pa.int64()),
        pa.array(numbers, pa.timestamp("us", "UTC")),
    ]
    names = ["key", "value", "partition", "offset", "timestamp"]
    return pa.RecordBatch.from_arrays(columns, names=names)


def rehearse(spark: SparkSession) -> None:
    """Run all of it, in a directory that is removed again."""
    spark.dataSource.register(RehearsalSource)
    folder = temporary_directory("moldau-spark-")
    try:
        _as_table(spark, folder)
        _as_stream(spark, folder)
    finally:
        SystemFiles().remove_tree(folder)


def _as_table(spark: SparkSession, folder: str) -> None:
    rows = spark.read.format(NAME).load()
    rows.selectExpr("count(*)", "sum(length(value))").first()
    parsed = rows.selectExpr("*", "from_json(string(value), 'id bigint') as row").where(
        "offset > 0"
    )
    same = parsed.select("row.id", "partition").mapInArrow(_same, "id bigint, partition int")
    same.groupBy("partition").agg({"id": "sum"}).toArrow()
    same.write.parquet(f"{folder}/rows")


def _as_stream(spark: SparkSession, folder: str) -> None:
    stream = spark.readStream.format(NAME).load()
    sums = stream.select("partition", "offset").groupBy("partition").count()
    writer = sums.writeStream.outputMode("update").foreachBatch(_collect)
    writer = writer.option("checkpointLocation", f"{folder}/checkpoint")
    query = writer.start()
    try:
        query.processAllAvailable()
    finally:
        query.stop()


def _same(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches


def _collect(frame: DataFrame, number: int) -> None:
    frame.toArrow()
