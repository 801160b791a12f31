"""Columns of Spark from and to values in a registry's frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from pyspark.sql import functions as sql
from pyspark.sql.pandas.functions import arrow_udf

from moldau.schemas.model import AVRO, SchemaText
from moldau.spark.errors import OptionError
from moldau.spark.registry import workers

if TYPE_CHECKING:
    from pyspark.sql import Column
    from pyspark.sql.types import StructType

__all__ = ["decoded", "from_registry", "to_registry"]

DECODED = "text string, problem string"
FAIL_FAST, PERMISSIVE = "FAILFAST", "PERMISSIVE"
Where = str | Mapping[str, str]
by_arrow: Final[Any] = arrow_udf
"""By the hints of the function; PySpark's own types know none that it could be given."""


def decoded(column: Column | str, registry: Where, reader: SchemaText | None = None) -> Column:
    """The bytes as JSON in `text`, or in `problem` why they cannot be read."""
    options = workers.options_of(registry)
    if reader is not None:
        reader = SchemaText(reader.text, reader.kind, reader.references)  # what can be compared

    def decode(values: pa.Array) -> pa.Array:
        return workers.decode(workers.deserializer_of(options, reader), values)

    made: Column = by_arrow(decode, DECODED)(column)
    return made


def from_registry(
    column: Column | str,
    registry: Where,
    schema: str | StructType,
    *,
    reader: SchemaText | None = None,
    mode: str = FAIL_FAST,
) -> Column:
    """The bytes as a struct of these columns, such as `id bigint, what string`.

    With `reader` every value is as that schema has it, with its defaults. What cannot be read ends
    the query, or is null where `mode` is PERMISSIVE.
    """
    if mode.upper() not in (FAIL_FAST, PERMISSIVE):
        raise OptionError(f"mode is {mode!r}: say {FAIL_FAST} or {PERMISSIVE}")
    found = decoded(column, registry, reader)
    if mode.upper() == FAIL_FAST:
        refused = sql.raise_error(found["problem"]).cast("string")
        text = sql.when(found["problem"].isNotNull(), refused).otherwise(found["text"])
    else:
        text = found["text"]
    return sql.from_json(text, schema, {"mode": mode.upper()})


def to_registry(
    column: Column | str,
    registry: Where,
    *,
    subject: str,
    schema: str | None = None,
    kind: str = AVRO,
) -> Column:
    """The column as bytes by the newest schema of the subject, or by this one.

    A schema that is given is registered with the first row if the subject does not have it. A row
    that is none of it ends the query.
    """
    options, target = workers.options_of(registry), workers.Target(subject, schema, kind)

    def encode(rows: pa.Array) -> pa.Array:
        return workers.encode(workers.writer_of(options, target), rows)

    made: Column = by_arrow(encode, "binary")(column)
    return made
