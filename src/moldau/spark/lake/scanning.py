"""Rows of a table in a program that soon ends, such as a command.

`DeltaTable.to_pyarrow_table` reads through files that are Python's, in threads that are Arrow's.
One of those may still let go of such a file when the interpreter ends, and then the whole process
aborts ("terminate called without an active exception"), its work done and its exit code spoilt.
The engine that comes with `deltalake` reads in threads that never enter Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from deltalake import DeltaTable, QueryBuilder
from deltalake.exceptions import DeltaError

from moldau.spark.lake.errors import TableError, cause_of

__all__ = ["scanned"]

ROWS = "scanned_rows"


def scanned(table: DeltaTable, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    """The rows batch by batch, in no order, with all columns or these."""
    known = pa.schema(table.schema())
    schema = pa.schema([known.field(name) for name in (columns or known.names)])
    names = ", ".join(_quoted(name) for name in schema.names)
    try:
        rows = QueryBuilder().register(ROWS, table)
        found: Any = rows.execute(f"SELECT {names} FROM {ROWS}")  # noqa: S608 - names are quoted
        yield from pa.RecordBatchReader.from_stream(found, schema=schema)
    except (DeltaError, OSError, pa.ArrowException) as error:
        raise TableError(
            f"the table {table.table_uri} cannot be read: {cause_of(error)}"
        ) from error


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
