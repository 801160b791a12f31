"""The format `moldau-delta` for reading: a table as it is, or as it was.

A batch read takes one version of the table: the newest, the one that `versionAsOf` names, or the
one that was there at `timestampAsOf`. Each of its files is a task.

Columns that a file does not have are null in its rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

import pyarrow as pa
from deltalake import DeltaTable
from deltalake.exceptions import DeltaError
from pyarrow import parquet
from pyspark.sql.datasource import DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from moldau.platform.quick_dataclass import dataclass
from moldau.spark.errors import OptionError
from moldau.spark.lake.errors import TableError, cause_of
from moldau.spark.lake.options import ReadingOptions
from moldau.spark.lake.schemas import arrow_schema, relaxed
from moldau.spark.lake.store import Store
from moldau.spark.lake.transactions import open_table

__all__ = [
    "DataFile",
    "DeltaReader",
    "TableFiles",
    "files_of",
    "fitted",
    "log_file",
    "moment_ns",
    "opened_table",
    "table_schema",
]

FEATURES = {"timestampNtz"}
"""Of readers; another one would mean that files are not simply rows."""
MAPPING = "delta.columnMapping.mode"
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
    return from_arrow_schema(relaxed(pa.schema(opened_table(options).schema())))


def opened_table(options: ReadingOptions) -> DeltaTable:
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


def _moment(text: str, name: str = "timestampAsOf") -> str:
    """The time as the library takes it; without a zone it is in UTC."""
    found = TIME.fullmatch(text)
    if found is None:
        raise OptionError(f"{name} is a time such as 2026-11-21T12:00:00Z, and not {text!r}")
    return f"{found[1]}T{found[2] or '00:00:00'}{found[3] or 'Z'}"


def moment_ns(text: str, name: str = "timestampAsOf") -> int:
    """The time of an option in nanoseconds since 1970."""
    moment = _moment(text, name)
    try:
        return int(pa.scalar(moment).cast(pa.timestamp("ns", UTC)).value)
    except pa.ArrowInvalid as error:
        raise OptionError(f"{name} is no time that there is: {text!r}") from error


def _ensure_born(table: DeltaTable, options: ReadingOptions, timestamp: str) -> None:
    """The library takes the first version for all times before it, too."""
    born_ns = Store(options.path, options.storage).modified_ns(log_file(table.version()))
    if born_ns > moment_ns(timestamp):
        raise TableError(f"the table {options.path} had no state of {timestamp} yet")


def log_file(version: int) -> str:
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


class TableFiles:
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


class DeltaReader(TableFiles, DataSourceReader):
    """For `spark.read`."""

    def partitions(self) -> list[InputPartition]:
        """A task for each file."""
        return [*files_of(opened_table(self._options))]


def files_of(table: DeltaTable) -> Iterator[DataFile]:
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
