"""How rows of Spark lie in a table, and how a table grows when the rows have grown.

A table made here lets every column be null, so that a column which comes later, or goes away, is
no trouble: files without it read as null. What grows is the list of columns and nothing else. A
column that changes its type, its case or its insides is refused, in one sentence with the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
from deltalake import Schema
from pyarrow import types

from moldau.spark.lake.errors import SchemaError

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

__all__ = ["arrow_schema", "delta_schema", "grown", "relaxed"]

UTC = "UTC"
PLAIN = (
    types.is_signed_integer,
    types.is_floating,
    types.is_decimal,
    types.is_boolean,
    types.is_string,
    types.is_binary,
    types.is_date32,
    types.is_timestamp,
)
"""What Delta has a type for; beside it there are lists, maps and structs of these."""


def arrow_schema(struct: StructType) -> pa.Schema:
    """The Arrow schema in which rows of a Spark schema are written."""
    from pyspark.sql.pandas.types import to_arrow_schema

    return relaxed(to_arrow_schema(struct, timezone=UTC))


def relaxed(schema: pa.Schema) -> pa.Schema:
    """The same columns, all of them and their insides nullable, with one way to say each type."""
    return pa.schema([_relaxed_field(column) for column in schema])


def _relaxed_field(column: pa.Field) -> pa.Field:
    return pa.field(column.name, _relaxed_type(column.type), nullable=True)


def _relaxed_type(kind: pa.DataType) -> pa.DataType:
    if types.is_large_string(kind) or types.is_string_view(kind):
        return pa.string()
    if types.is_large_binary(kind) or types.is_binary_view(kind):
        return pa.binary()
    if types.is_timestamp(kind):
        return pa.timestamp("us", UTC if kind.tz else None)
    if types.is_list(kind) or types.is_large_list(kind):
        return pa.list_(pa.field("element", _relaxed_type(kind.value_type)))
    if types.is_map(kind):
        return pa.map_(_relaxed_type(kind.key_type), _relaxed_type(kind.item_type))
    if types.is_struct(kind):
        return pa.struct([_relaxed_field(inner) for inner in kind])
    return kind


def delta_schema(schema: pa.Schema) -> Schema:
    """The same for a table's log."""
    for column in schema:
        if not _has_a_place(column.type):
            raise SchemaError(
                f"column {column.name} is {column.type}, which a Delta table cannot hold: cast it"
                " to another type"
            )
    return Schema.from_arrow(schema)


def _has_a_place(kind: pa.DataType) -> bool:
    if any(fits(kind) for fits in PLAIN):
        return True
    inner = [kind.field(index).type for index in range(kind.num_fields)]
    return types.is_nested(kind) and all(_has_a_place(part) for part in inner)


def grown(table: pa.Schema, rows: pa.Schema, *, may_grow: bool) -> pa.Schema:
    """The columns that the table lacks; or why these rows cannot be a part of it."""
    table = relaxed(table)
    there = {column.name.lower(): column for column in table}
    missing = []
    for column in rows:
        known = there.get(column.name.lower())
        if known is None:
            missing.append(column)
        else:
            _refuse_change(known, column)
    if missing and not may_grow:
        names = ", ".join(column.name for column in missing)
        raise SchemaError(
            f"the table has no column {names}, and mergeSchema is false: leave the column out or"
            " set mergeSchema to true"
        )
    return pa.schema(missing)


def _refuse_change(known: pa.Field, column: pa.Field) -> None:
    if known.name != column.name:
        raise SchemaError(
            f"column {column.name} is {known.name} in the table, and case makes no two columns:"
            " rename one"
        )
    if known.type != column.type:
        raise SchemaError(
            f"column {column.name} is {known.type} in the table and {column.type} in the rows:"
            " cast it, or write it under another name"
        )
