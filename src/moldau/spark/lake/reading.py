"""The format `moldau-delta` for reading: a table as it is, as it was, or as it grows.

A batch read takes one version of the table: the newest, the one that `versionAsOf` names, or the
one that was there at `timestampAsOf`. Each of its files is a task.

A stream begins with all rows of the newest version, or behind the version before `startingVersion`,
and then takes what later versions add, whole versions at a time. Files that were only written anew
(a compaction) add nothing. A version that removes or changes rows ends the stream with a sentence,
unless `skipChangeCommits` is set: then all of that version is passed over. Its offsets are
`{"version": 7}`: all up to version 7 was read.

Columns that a file does not have are null in its rows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

import pyarrow as pa
from deltalake import DeltaTable
from deltalake.exceptions import DeltaError
from pyarrow import parquet
from pyspark.sql.datasource import DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from moldau.platform.quick_dataclass import dataclass
from moldau.spark.errors import OptionError
from moldau.spark.lake.errors import TableError, cause_of
from moldau.spark.lake.options import ReadingOptions
from moldau.spark.lake.schemas import arrow_schema, relaxed
from moldau.spark.lake.store import Store
from moldau.spark.lake.transactions import open_table

__all__ = ["DataFile", "DeltaReader", "DeltaStream", "fitted", "table_schema"]

FEATURES = {"timestampNtz"}
"""Of readers; another one would mean that files are not simply rows."""
MAPPING = "delta.columnMapping.mode"
NOTHING_YET = -1
UTC = "UTC"
TIME = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d(?:\.\d+)?))?(Z|[+-]\d\d:\d\d)?")
Offset = dict[str, int]


@dataclass(frozen=True)
class DataFile(InputPartition):
    """One file of the table, as it travels to a worker."""

    path: str
    values: tuple[tuple[str, str | None], ...]
    """What its rows have in the columns that make folders."""


def table_schema(options: ReadingOptions) -> StructType:
    """The columns of the version that is read."""
    return from_arrow_schema(relaxed(pa.schema(_opened(options).schema())))


def _opened(options: ReadingOptions) -> DeltaTable:
    """The table at the version that is asked for."""
    table = open_table(options.path, dict(options.storage))
    if table is None:
        raise TableError(f"there is no table in {options.path}")
    _ensure_plain(table, options.path)
    try:
        if options.version is not None:
            table.load_as_version(options.version)
        elif options.timestamp is not None:
            table.load_as_version(_moment(options.timestamp))
            _ensure_born(table, options, options.timestamp)
    except (DeltaError, OSError, ValueError) as error:
        asked = options.timestamp if options.version is None else f"version {options.version}"
        raise TableError(
            f"the table {options.path} has no state of {asked} any more, or had none yet:"
            f" {cause_of(error)}"
        ) from error
    return table


def _moment(text: str) -> str:
    """The time as the library takes it; without a zone it is in UTC."""
    found = TIME.fullmatch(text)
    if found is None:
        raise OptionError(f"timestampAsOf is a time such as 2026-11-21T12:00:00Z, and not {text!r}")
    return f"{found[1]}T{found[2] or '00:00:00'}{found[3] or 'Z'}"


def _ensure_born(table: DeltaTable, options: ReadingOptions, timestamp: str) -> None:
    """The library takes the first version for all times before it, too."""
    born_ns = Store(options.path, options.storage).modified_ns(_log_file(table.version()))
    asked_ns = pa.scalar(_moment(timestamp)).cast(pa.timestamp("ns", UTC)).value
    if born_ns > asked_ns:
        raise TableError(f"the table {options.path} had no state of {timestamp} yet")


def _log_file(version: int) -> str:
    return f"_delta_log/{version:020d}.json"


def _ensure_plain(table: DeltaTable, path: str) -> None:
    features = set(table.protocol().reader_features or ()) - FEATURES
    if table.metadata().configuration.get(MAPPING, "none") != "none":
        features.add("columnMapping")
    if features:
        raise TableError(
            f"the table {path} has {', '.join(sorted(features))}, which is not read here: read it"
            " with Delta's own jar"
        )


class _Files:
    """What both readers do in tasks."""

    def __init__(self, options: ReadingOptions, schema: StructType) -> None:
        self._options = options
        self._schema = arrow_schema(schema)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """In a task: the rows of a file. Spark makes up an empty task where a plan has none."""
        if not isinstance(partition, DataFile):
            return
        store = Store(self._options.path, self._options.storage)
        values = dict(partition.values)
        with store.open_input(partition.path) as source:
            file = parquet.ParquetFile(source)
            names = [name for name in file.schema_arrow.names if name in self._schema.names]
            for batch in file.iter_batches(columns=names):
                yield fitted(batch, values, self._schema)


def fitted(
    batch: pa.RecordBatch, values: Mapping[str, str | None], schema: pa.Schema
) -> pa.RecordBatch:
    """The rows with all columns of the table, those of its folders and of other times included."""
    columns = []
    for column in schema:
        if column.name in values:
            text = pa.array([values[column.name] or None], pa.string())
            columns.append(pa.repeat(text.cast(column.type)[0], batch.num_rows))
        elif column.name in batch.schema.names:
            columns.append(batch.column(column.name).cast(column.type))
        else:
            columns.append(pa.nulls(batch.num_rows, column.type))
    return pa.RecordBatch.from_arrays(columns, schema=schema)


class DeltaReader(_Files, DataSourceReader):
    """For `spark.read`."""

    def partitions(self) -> list[InputPartition]:
        """A task for each file."""
        return [*_files_of(_opened(self._options))]


class DeltaStream(_Files, DataSourceStreamReader):
    """For `spark.readStream`."""

    def initialOffset(self) -> Offset:
        """Nothing is read yet, or all that was before the version to start from."""
        starting = self._options.starting_version
        return {"version": NOTHING_YET if starting is None else starting - 1}

    def latestOffset(self) -> Offset:  # type: ignore[override]
        """The newest version."""
        return {"version": _opened(self._options).version()}

    def partitions(self, start: Offset, end: Offset) -> list[InputPartition]:
        """A task for each file that has come since; at first for each that is there."""
        if start["version"] == NOTHING_YET and self._options.starting_version is None:
            table = _opened(self._options)
            table.load_as_version(end["version"])
            return [*_files_of(table)]
        versions = range(start["version"] + 1, end["version"] + 1)
        return [file for version in versions for file in self._added(version)]

    def _added(self, version: int) -> Iterator[DataFile]:
        """The files with rows that this version has added."""
        actions = [*self._actions(version)]
        removed = [
            action["remove"]
            for action in actions
            if "remove" in action and action["remove"].get("dataChange", True)
        ]
        if removed and self._options.skips_changes:
            return
        if removed:
            raise TableError(
                f"version {version} of {self._options.path} removes or changes rows, and a stream"
                " has only new ones: set skipChangeCommits to pass it over, or read the table whole"
            )
        for action in actions:
            if "add" in action and action["add"].get("dataChange", True):
                values = action["add"].get("partitionValues") or {}
                yield DataFile(unquote(action["add"]["path"]), tuple(values.items()))

    def _actions(self, version: int) -> Iterator[dict[str, Any]]:
        store = Store(self._options.path, self._options.storage)
        try:
            with store.open_input(_log_file(version)) as file:
                lines = file.read().splitlines()
        except FileNotFoundError as error:
            raise TableError(
                f"the log of {self._options.path} has no version {version} any more: start the"
                " query anew, with a new checkpoint"
            ) from error
        return (json.loads(line) for line in lines if line.strip())


def _files_of(table: DeltaTable) -> Iterator[DataFile]:
    """All files of this version of the table."""
    folders = table.metadata().partition_columns
    actions = pa.table(table.get_add_actions(flatten=True)).to_pylist()
    for action in actions:
        values = tuple((name, _text(action.get(f"partition.{name}"))) for name in folders)
        yield DataFile(unquote(action["path"]), values)


def _text(value: object) -> str | None:
    if value is None:
        return None
    return str(value).lower() if isinstance(value, bool) else str(value)
