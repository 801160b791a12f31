"""The columns of Spark's Kafka connector, and the Arrow types in which a source hands them over.

Spark's Python sources do not know which columns a query uses, so a read hands over all of them
unless its user names fewer: `.schema("value binary, offset long")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    DataType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from moldau.spark.errors import OptionError

if TYPE_CHECKING:
    import pyarrow as pa

TYPES: dict[str, DataType] = {
    "key": BinaryType(),
    "value": BinaryType(),
    "topic": StringType(),
    "partition": IntegerType(),
    "offset": LongType(),
    "timestamp": TimestampType(),
    "timestampType": IntegerType(),
}
"""Not as words, `key binary, …`: to read them takes a session's first query a quarter of a second,
as Java has no code yet of the parser."""
HEADERS = "headers"
HEADERS_TYPE = ArrayType(
    StructType([StructField("key", StringType()), StructField("value", BinaryType())])
)
RANGES = "topic string, partition int, start bigint, end bigint"
"""The columns of a read that hands over which offsets there are, and leaves it to a task to read
them (rows.py)."""
RANGE_NAMES = tuple(column.split()[0] for column in RANGES.split(", "))


def all_columns(*, with_headers: bool) -> StructType:
    """All columns."""
    types = TYPES | ({HEADERS: HEADERS_TYPE} if with_headers else {})
    return StructType([StructField(name, spark_type) for name, spark_type in types.items()])


def ensure_columns(schema: StructType) -> None:
    """Refuse what a topic does not have."""
    if is_of_ranges(schema):
        return
    types = TYPES | {HEADERS: HEADERS_TYPE}
    for column in schema.fields:
        if column.name not in types:
            raise OptionError(
                f"a topic has no column {column.name!r}: its columns are {', '.join(types)}"
            )
        given, wanted = column.dataType.simpleString(), types[column.name].simpleString()
        if given != wanted:
            raise OptionError(
                f"the column {column.name} is {wanted}, not {given}: read it as it is and cast it"
            )


def is_of_ranges(schema: StructType) -> bool:
    """Whether ranges of offsets are asked for, and not records."""
    return tuple(schema.names) == RANGE_NAMES


def arrow_schema(schema: StructType) -> pa.Schema:
    """What Spark expects of every batch, to the letter."""
    from pyspark.sql.pandas.types import to_arrow_schema

    made: pa.Schema = to_arrow_schema(schema, timezone="UTC")
    return made


def fitted(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The batch with the columns in this order, of these types; without a copy where they fit."""
    if batch.schema.equals(schema):
        return batch
    import pyarrow as pa

    columns = [
        column if column.type == wanted.type else column.cast(wanted.type)
        for wanted, column in ((wanted, batch.column(wanted.name)) for wanted in schema)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
