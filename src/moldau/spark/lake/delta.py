"""The format `moldau-delta`: rows of Spark become a Delta table, without a jar.

Each task writes its rows as Parquet files and reports them. When all have, the driver makes them
part of the table in one step (transactions.py). For a stream that step carries the id of the query
and the number of the batch, so that a batch which is run again after a crash, with other files of
the same rows, adds nothing. The id lies in the checkpoint: it is the same after every restart, and
a new one belongs to a new checkpoint.

A batch that fails leaves no row behind, and its files go away: by their task, if it could, by the
driver, which asks the log first, or by vacuum. No file in the log is ever removed.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql.datasource import (
    DataSource,
    DataSourceArrowWriter,
    DataSourceStreamArrowWriter,
    DataSourceWriter,
    WriterCommitMessage,
)
from pyspark.sql.types import StructType

from moldau.platform.quick_dataclass import dataclass
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.randomness import SystemRandom
from moldau.spark.errors import OptionError
from moldau.spark.lake.growing import DeltaStream
from moldau.spark.lake.options import LakeOptions, lake_options, reading_options
from moldau.spark.lake.parts import Part, PartWriter
from moldau.spark.lake.reading import DeltaReader, table_schema
from moldau.spark.lake.schemas import arrow_schema, delta_schema
from moldau.spark.lake.splitting import refuse_unfit_columns
from moldau.spark.lake.store import Store
from moldau.spark.lake.transactions import DeltaLog, Write

__all__ = ["DeltaFormat", "DeltaStreamWriter", "DeltaWriter", "Written", "write_parts"]

NAME_BITS = 96
QUERY_ID = "sql.streaming.queryId"
"""The local property in which Spark gives its tasks the query for which they run."""


@dataclass(frozen=True)
class Written(WriterCommitMessage):
    """What a task reports to the driver."""

    parts: tuple[Part, ...]
    query_id: str | None


class DeltaFormat(DataSource):
    """`format("moldau-delta")`."""

    @classmethod
    def name(cls) -> str:
        return "moldau-delta"

    def schema(self) -> StructType:
        """Of a table that is read; a writer brings its columns."""
        return table_schema(reading_options(self.options, streaming=False))

    def reader(self, schema: StructType) -> DeltaReader:
        return DeltaReader(reading_options(self.options, streaming=False), schema)

    def streamReader(self, schema: StructType) -> DeltaStream:
        return DeltaStream(reading_options(self.options, streaming=True), schema)

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        options = lake_options(self.options)
        if options.application is not None and options.version is None:
            raise OptionError("txnAppId means nothing without txnVersion: set both, or neither")
        return DeltaWriter(options, schema, overwrite)

    def streamWriter(self, schema: StructType, overwrite: bool) -> DeltaStreamWriter:
        return DeltaStreamWriter(lake_options(self.options), schema, overwrite)


class _Tasks:
    """What both writers do in tasks, and what they need for it."""

    def __init__(self, options: LakeOptions, schema: StructType, overwrite: bool) -> None:
        self._options = options
        self._schema = arrow_schema(schema)
        self._overwrite = overwrite
        refuse_unfit_columns(self._schema, options.partition_by)
        delta_schema(self._schema)

    def write(self, iterator: Iterator[pa.RecordBatch]) -> Written:
        """In a task: all its rows as files."""
        context = TaskContext.get()
        query_id = context.getLocalProperty(QUERY_ID) if context else None
        parts = write_parts(self._options, self._schema, iterator)
        return Written(tuple(parts), query_id)

    def _commit(
        self, messages: list[WriterCommitMessage | None], application: str | None, version: int
    ) -> bool:
        write = Write(
            parts=_parts(messages),
            schema=self._schema,
            overwrite=self._overwrite,
            application=application,
            version=version,
        )
        return self._log().commit(write)

    def _log(self) -> DeltaLog:
        return DeltaLog(self._options, SystemClock())

    def _abort(self, messages: list[WriterCommitMessage | None]) -> None:
        self._log().remove_unknown([part.path for part in _parts(messages)])


class DeltaWriter(_Tasks, DataSourceArrowWriter):
    """A batch write; with `txnAppId` and `txnVersion` it may be repeated."""

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        self._commit(messages, self._options.application, self._options.version or 0)

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        self._abort(messages)


class DeltaStreamWriter(_Tasks, DataSourceStreamArrowWriter):
    """A stream's write: one step for each of its batches."""

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        application = self._options.application or _query_of(messages)
        self._commit(messages, application, batchId)

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        self._abort(messages)


def write_parts(
    options: LakeOptions, schema: pa.Schema, batches: Iterator[pa.RecordBatch]
) -> list[Part]:
    """The rows as files; a failure on the way leaves none."""
    writer = PartWriter(
        Store(options.path, options.storage),
        schema,
        options.partition_by,
        file_size=options.file_size,
        compression=options.compression,
        new_name=_new_name,
    )
    try:
        for batch in batches:
            writer.write(batch)
        return writer.close()
    except BaseException:
        writer.abandon()
        raise


def _new_name() -> str:
    return f"part-{SystemRandom().randrange(0, 1 << NAME_BITS):024x}"


def _parts(messages: list[WriterCommitMessage | None]) -> list[Part]:
    return [part for found in messages if isinstance(found, Written) for part in found.parts]


def _query_of(messages: list[WriterCommitMessage | None]) -> str | None:
    """The id of the query; a batch without a task has none, and no row either."""
    return next((found.query_id for found in messages if isinstance(found, Written)), None)
