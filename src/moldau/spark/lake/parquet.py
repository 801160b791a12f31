"""The format `moldau-parquet`: a folder of Parquet files in which a batch is whole or absent.

Plain Parquet has no log: what is in the folder is the table. So each batch is written beside the
folder, and when all its tasks are done it gets its place in it by one rename, which a local file
system does at once:

    orders-staging/QUERY/RANDOM/day=…/part-….parquet      while it is written
    orders/batch=QUERY-0000000012/day=…/part-….parquet    from then on

The name has whose batch it is, so a batch that comes again finds its place taken and is thrown
away. To readers `batch` is one more partition column. An object store cannot rename, so there the
format is refused: a Delta table has the same promise by its log.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

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
from moldau.platform.system.randomness import SystemRandom
from moldau.spark.errors import OptionError
from moldau.spark.lake.delta import QUERY_ID, write_parts
from moldau.spark.lake.options import LakeOptions, lake_options
from moldau.spark.lake.schemas import arrow_schema
from moldau.spark.lake.splitting import refuse_unfit_columns
from moldau.spark.lake.store import Store

__all__ = ["ParquetFormat", "ParquetStreamWriter", "ParquetWriter", "Staged", "staging_of"]

NAME_BITS = 96
LONE = "write"
"""Whose batch it is where no query runs: each such write has a random name behind it."""


@dataclass(frozen=True)
class Staged(WriterCommitMessage):
    """What a task reports: where its files wait, and for which query."""

    folder: str
    application: str
    rows: int


class ParquetFormat(DataSource):
    """`format("moldau-parquet")`."""

    @classmethod
    def name(cls) -> str:
        return "moldau-parquet"

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        return ParquetWriter(lake_options(self.options), schema, overwrite)

    def streamWriter(self, schema: StructType, overwrite: bool) -> ParquetStreamWriter:
        return ParquetStreamWriter(lake_options(self.options), schema, overwrite)


class _Tasks:
    """What both writers do."""

    def __init__(self, options: LakeOptions, schema: StructType, overwrite: bool) -> None:
        if overwrite:
            raise OptionError(
                "moldau-parquet only appends: to replace rows write moldau-delta, or remove the"
                f" folder {options.path} first"
            )
        if "://" in options.path:
            raise OptionError(
                f"moldau-parquet cannot write to {options.path}, for an object store cannot rename"
                " a folder at once: write moldau-delta there"
            )
        self._options = options
        self._schema = arrow_schema(schema)
        refuse_unfit_columns(self._schema, options.partition_by)
        self._name = f"{SystemRandom().randrange(0, 1 << NAME_BITS):024x}"

    def write(self, iterator: Iterator[pa.RecordBatch]) -> Staged:
        """In a task: all its rows as files, where no reader looks."""
        application = self._options.application or _query_id() or LONE
        folder = f"{application}/{self._name}"
        options = replace(self._options, path=f"{staging_of(self._options.path)}/{folder}")
        parts = write_parts(options, self._schema, iterator)
        return Staged(folder, application, sum(part.rows for part in parts))

    def _publish(self, messages: Sequence[WriterCommitMessage | None], number: str) -> None:
        """Give the batch its place, if it has rows and was not there before."""
        staging = Store(staging_of(self._options.path), {})
        staged = next((found for found in _staged(messages) if found.rows), None)
        if staged is not None:
            table = Store(self._options.path, {})
            place = f"batch={staged.application}-{number}"
            if not table.has(place):
                table.take(f"{staging.root}/{staged.folder}", place)
        self._abort(messages)

    def _abort(self, messages: Sequence[WriterCommitMessage | None]) -> None:
        """Remove what waits, of this attempt and, for a query, of earlier ones that were killed."""
        staging = Store(staging_of(self._options.path), {})
        for found in _staged(messages):
            lone = found.application == LONE
            staging.remove_folder(found.folder if lone else found.application)


class ParquetWriter(_Tasks, DataSourceArrowWriter):
    """A batch write: one folder."""

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        version = self._options.version
        self._publish(messages, self._name if version is None else _number(version))

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        self._abort(messages)


class ParquetStreamWriter(_Tasks, DataSourceStreamArrowWriter):
    """A stream's write: one folder for each of its batches."""

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        self._publish(messages, _number(batchId))

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        self._abort(messages)


def staging_of(path: str) -> str:
    """Beside the table, and so on the same file system."""
    return f"{path}-staging"


def _number(version: int) -> str:
    return f"{version:010d}"


def _query_id() -> str | None:
    context = TaskContext.get()
    found = context.getLocalProperty(QUERY_ID) if context else None
    return found if found is None else str(found)


def _staged(messages: Sequence[WriterCommitMessage | None]) -> Iterator[Staged]:
    yield from (found for found in messages if isinstance(found, Staged))
