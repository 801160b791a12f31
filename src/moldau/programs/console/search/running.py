"""A query over the batches of a topic while they are read: DuckDB in a process of its own.

A thread reads chunks into a short queue; DuckDB has them decoded and takes them from there, so that
no more of the topic is in memory than a few chunks. DuckDB has one thread, a bound on what it
counts of its memory, and no way to files, the network or other settings; what has no room in memory
is not put on the disk, which may be the broker's. The result is cut by DuckDB itself, in rows and
in letters, so that large values never become objects of Python. Where a `limit` is reached it takes
no more, and reading ends. What DuckDB does not count is bounded with its process (`process`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from queue import Queue
from typing import Any, Final

import duckdb
import pyarrow as pa

from moldau.client.arrow import ChunkDecoder, schema_of
from moldau.client.core.fetching.chunk import Chunk
from moldau.programs.console.search.decoded import Decode, decoded_all
from moldau.programs.console.search.filtering import SearchFilter
from moldau.programs.console.values.masking import Masks
from moldau.programs.http.messages import HttpError

__all__ = ["COLUMNS", "ROWS_MAX", "SqlRun", "parsed_query", "time_ms"]

COLUMNS: Final = ("partition", "offset", "timestamp", "key", "value", "headers")
ROWS_MAX: Final = 500
"""Shown of a result."""
SHOWN: Final = 2000
"""Letters of a value."""
MEMORY_MB: Final = 512
NO_ROOM: Final = (
    f"The query needs more than {MEMORY_MB} MB of memory: narrow it, group less, or make less of "
    "each record"
)
READER: Final = "records of the topic"
VIEW: Final = """create view {name} as select partition, "offset", timestamp, key, value,
case when json_valid(value) then value::json end as json, key_bytes, value_bytes, headers
from (select partition, "offset", make_timestamp(epoch_us(timestamp)) as timestamp,
try(decode(key)) as key, try(decode(value)) as value,
key as key_bytes, value as value_bytes, headers
from "records of the topic")"""
VIEW_DECODED: Final = """create view {name} as select partition, "offset", timestamp, key, value,
case when json_valid(value) then value::json end as json, key_bytes, value_bytes, headers, reason
from (select partition, "offset", make_timestamp(epoch_us(timestamp)) as timestamp,
try(decode(key_shown)) as key, try(decode(value_shown)) as value,
key as key_bytes, value as value_bytes, headers, reason
from "records of the topic")"""
SHOWN_FIELDS: Final = (
    pa.field("key_shown", pa.binary()),
    pa.field("value_shown", pa.binary()),
    pa.field("reason", pa.string()),
)
"""What formats make of keys and values, and why not."""
FILTERED_ROWS: Final = 200
"""Which take a tenth of a second, mostly."""
MASKED: Final = {"key": "key", "key_shown": "key", "value": "value", "value_shown": "value"}
"""The part of each column in which masks hold."""
QUERY: Final = 'create view "result of the query" ({names}) as {text}'
RESULT: Final = 'select {columns} from "result of the query" limit {rows}'
PLAIN: Final = frozenset(
    (
        *("BOOLEAN", "FLOAT", "DOUBLE", "HUGEINT", "UHUGEINT"),
        *("TINYINT", "SMALLINT", "INTEGER", "BIGINT"),
        *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"),
    )
)
"""Types whose values are small, and JSON's own."""


def parsed_query(text: str) -> Mapping[str, Any]:
    """The tree; 400 with DuckDB's sentence for what is no query."""
    with _opened() as database:
        row = database.execute("select json_serialize_sql(?)", [text]).fetchone()
    tree: dict[str, Any] = json.loads(row[0]) if row is not None else {"error": True}
    if tree["error"]:
        raise HttpError(400, str(tree.get("error_message", "this is no query")))
    return tree


def time_ms(text: str) -> int | None:
    """The milliseconds of a time as SQL writes it; None for what is none."""
    with _opened() as database:
        row = database.execute("select epoch_ms(try_cast(? as timestamp))", [text]).fetchone()
    return None if row is None else row[0]


def _nothing() -> None:
    """Where no one waits for room."""


class SqlRun:
    """One query, once. `feed` is called in another thread than `run`."""

    def __init__(
        self,
        topic: str,
        text: str,
        masks: Masks,
        formats: Mapping[str, Decode] | None = None,
        kept: SearchFilter | None = None,
        *,
        check_checksums: bool = True,
        taken: Callable[[], None] = _nothing,
    ) -> None:
        """`formats` are by part; only records that fit `kept` are there for the query; `taken` is
        called with each chunk that leaves the queue.
        """
        self._topic = topic
        self._text = text
        self._masks = masks
        self._formats = formats or {}
        self._kept = kept
        self._refusal: HttpError | None = None
        """Of the filter, which DuckDB has only as a text."""
        self._decoder = ChunkDecoder(COLUMNS, check_checksums=check_checksums)
        self._taken = taken
        self._chunks: Queue[Chunk | None] = Queue()
        self._database = _opened()

    def feed(self, chunk: Chunk | None) -> None:
        """None is the end of what is read."""
        self._chunks.put(chunk)

    def run(self) -> dict[str, Any]:
        """Columns and rows; 400 with DuckDB's sentence where it does not run."""
        try:
            found = self._rows()
        except (duckdb.Error, MemoryError, RuntimeError, ValueError) as error:
            raise self._refusal or _refused(error) from None
        finally:
            self._database.close()
        return found if self._kept is None else {**found, **self._kept.report()}

    def _rows(self) -> dict[str, Any]:
        reader = pa.RecordBatchReader.from_batches(self._schema(), self._batches())
        self._database.register(READER, reader)
        name = '"' + self._topic.replace('"', '""') + '"'
        self._database.execute((VIEW_DECODED if self._formats else VIEW).format(name=name))
        self._database.execute("set lock_configuration = true")
        whole = self._database.sql(self._text)
        names = [f"column_{number}" for number in range(len(whole.columns))]
        cut = map(_cut, names, map(str, whole.types))
        self._database.execute(QUERY.format(names=", ".join(names), text=self._text))
        self._database.execute(RESULT.format(columns=", ".join(cut), rows=ROWS_MAX + 1))
        rows = self._database.fetchall()
        return {
            "columns": whole.columns,
            "rows": [[_cell(one) for one in row] for row in rows[:ROWS_MAX]],
            "is_cut": len(rows) > ROWS_MAX,
        }

    def _schema(self) -> pa.Schema:
        found = schema_of(COLUMNS)
        return pa.schema([*found, *SHOWN_FIELDS]) if self._formats else found

    def _batches(self) -> Iterator[pa.RecordBatch]:
        while (chunk := self._chunks.get()) is not None:
            self._taken()
            for batch in self._decoder.decode(chunk):
                yield from self._fitting(self._masked(self._decoded(batch)))

    def _fitting(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """A few at a time, so that a `limit` is seen soon."""
        if self._kept is None:
            yield batch
            return
        for start in range(0, batch.num_rows, FILTERED_ROWS):
            part = batch.slice(start, FILTERED_ROWS)
            try:
                fit = self._kept.fit(_columns(part))
            except HttpError as error:
                self._refusal = error
                raise
            yield part.filter(pa.array(fit, pa.bool_()))

    def _decoded(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """With what formats make of it; keys and values themselves stay."""
        if not self._formats:
            return batch
        columns: dict[str, list[bytes | None]] = {}
        reasons: list[list[str | None]] = []
        for part in ("key", "value"):
            data = batch.column(part).to_pylist()
            decode = self._formats.get(part)
            if decode is None:
                columns[part] = data
                continue
            columns[part], why = decoded_all(decode, self._topic, data)
            if self._masks.of(self._topic, part):
                why = [one and "it cannot be decoded" for one in why]  # it may quote the value
            reasons.append(why)
        first = [next(filter(None, one), None) for one in zip(*reasons, strict=True)]
        more = [*columns.values(), first]
        arrays = [pa.array(one, field.type) for one, field in zip(more, SHOWN_FIELDS, strict=True)]
        return pa.record_batch([*batch.columns, *arrays], schema=self._schema())

    def _masked(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        if not self._masks.hide_some(self._topic):
            return batch
        for name, part in MASKED.items():
            at = batch.schema.get_field_index(name)
            if at >= 0 and self._masks.of(self._topic, part):
                data = batch.column(at).to_pylist()
                hidden = [self._masks.applied(self._topic, part, one) for one in data]
                batch = batch.set_column(at, batch.schema.field(at), pa.array(hidden, pa.binary()))
        return batch


def _columns(batch: pa.RecordBatch) -> dict[str, list[Any]]:
    """What a filter sees: keys and values as they are shown."""
    names = set(batch.schema.names)
    found = {name: name for name in COLUMNS}
    found |= {name: f"{name}_shown" for name in ("key", "value") if f"{name}_shown" in names}
    columns = {name: batch.column(of) for name, of in found.items()}
    columns["timestamp"] = columns["timestamp"].cast(pa.int64())
    return {name: column.to_pylist() for name, column in columns.items()}


def _refused(error: Exception) -> HttpError:
    match error:
        case duckdb.OutOfMemoryException() | MemoryError():
            return HttpError(400, NO_ROOM)
        case duckdb.Error():
            return HttpError(400, str(error).partition("\n")[0])
        case _:
            return HttpError(500, f"The query was given up: {error}")


def _opened() -> duckdb.DuckDBPyConnection:
    database = duckdb.connect(
        ":memory:",
        config={"threads": 1, "memory_limit": f"{MEMORY_MB}MB", "temp_directory": ""},
    )
    database.execute("set enable_external_access = false")
    database.execute("set python_enable_replacements = false")
    return database


def _cut(column: str, kind: str) -> str:
    """The expression of a column's values, bounded: text, but for numbers and bytes."""
    if kind in PLAIN:
        return column
    if kind == "BLOB":
        return f"{column}[1:{SHOWN // 2}]"
    return f"left({column}::varchar, {SHOWN + 1})"


def _cell(value: object) -> object:
    """As JSON has it; bytes as digits."""
    match value:
        case float():
            return value if isfinite(value) else str(value)
        case int() if not isinstance(value, bool):
            return value if abs(value) < 1 << 53 else str(value)
        case bytes():
            return value.hex()
        case str():
            return value if len(value) <= SHOWN else f"{value[:SHOWN]}…"
        case _:
            return value
