"""A batch of rows, split by the values of the partition columns; and how such values are written.

Delta keeps a partition's values as text in its log, plain Parquet in the names of folders, as Hive
does: `day=2026-11-21/country=CZ`. The text of a value is the same for both. An empty text means
null, as everywhere in Delta.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa
from pyarrow import types

from moldau.spark.lake.errors import SchemaError

__all__ = ["Values", "folder_of", "refuse_unfit_columns", "split"]

Values = tuple[str | None, ...]
"""The values of the partition columns, in their order."""
NULL_FOLDER = "__HIVE_DEFAULT_PARTITION__"
UNFIT_IN_NAMES = re.compile(r"[\x00-\x1f\"#%'*/:=?\\\x7f{}\[\]^]")
FIT = (
    types.is_integer,
    types.is_boolean,
    types.is_string,
    types.is_large_string,
    types.is_date,
    types.is_timestamp,
    types.is_decimal,
    types.is_floating,
)


def refuse_unfit_columns(schema: pa.Schema, columns: Sequence[str]) -> None:
    """Every partition column is there, has values that can be a name, and is not alone."""
    for column in columns:
        if column not in schema.names:
            raise SchemaError(
                f"the table is partitioned by {column}, and the rows have no such column"
            )
        if not any(fits(schema.field(column).type) for fits in FIT):
            raise SchemaError(
                f"{column} cannot partition a table: values of type {schema.field(column).type}"
                " make no folder; take a column of text, numbers, dates or times"
            )
    if columns and len(columns) == len(schema.names):
        raise SchemaError("every column is a partition column: one at least has to be in the files")


def split(batch: pa.RecordBatch, columns: Sequence[str]) -> Iterator[tuple[Values, pa.RecordBatch]]:
    """The rows of each partition, in their order and without the partition columns."""
    if not columns:
        yield (), batch
        return
    if not batch.num_rows:
        return
    codes = _codes(batch, columns)
    order = np.argsort(codes, kind="stable")
    changes = np.flatnonzero(np.diff(codes[order])) + 1
    if len(changes):
        batch = batch.take(pa.array(order))
    rows = batch.drop_columns(list(columns))
    for start, end in pairwise([0, *changes.tolist(), len(order)]):
        values = tuple(_text(batch.column(column)[start].as_py()) for column in columns)
        yield values, rows.slice(start, end - start)


def _codes(batch: pa.RecordBatch, columns: Sequence[str]) -> np.ndarray:
    """One number for each row, the same where all partition columns have the same values."""
    codes = np.zeros(batch.num_rows, dtype=np.int64)
    for column in columns:
        encoded = batch.column(column).dictionary_encode(null_encoding="encode")
        codes = codes * len(encoded.dictionary) + encoded.indices.to_numpy()
    return codes


def _text(value: object) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:%Y-%m-%d %H:%M:%S.%f}" if hasattr(value, "hour") else str(value)


def folder_of(columns: Sequence[str], values: Values) -> str:
    """`day=2026-11-21/country=CZ/`, or nothing; what a name cannot hold is written as %XX."""
    named = zip(columns, values, strict=True)
    return "".join(f"{_escaped(column)}={_name(value)}/" for column, value in named)


def _name(value: str | None) -> str:
    return NULL_FOLDER if value is None else _escaped(value)


def _escaped(text: str) -> str:
    return UNFIT_IN_NAMES.sub(lambda found: f"%{ord(found.group()):02X}", text)
