"""A table grows by columns, and in no other way."""

from __future__ import annotations

import pyarrow as pa
import pytest
from pyspark.sql import types

from moldau.spark.lake.errors import SchemaError
from moldau.spark.lake.schemas import arrow_schema, delta_schema, grown, relaxed

TABLE = pa.schema([("id", pa.int64()), ("tags", pa.list_(pa.string()))])


def test_every_type_of_spark_has_its_place_in_a_table():
    kinds = [
        types.ByteType(),
        types.ShortType(),
        types.IntegerType(),
        types.LongType(),
        types.FloatType(),
        types.DoubleType(),
        types.DecimalType(10, 2),
        types.BooleanType(),
        types.StringType(),
        types.BinaryType(),
        types.DateType(),
        types.TimestampType(),
        types.TimestampNTZType(),
        types.ArrayType(types.IntegerType(), containsNull=False),
        types.MapType(types.StringType(), types.LongType()),
        types.StructType([types.StructField("x", types.StringType(), nullable=False)]),
    ]
    columns = [types.StructField(f"c{place}", kind) for place, kind in enumerate(kinds)]
    struct = types.StructType(columns)
    schema = arrow_schema(struct)
    assert relaxed(pa.schema(delta_schema(schema))) == schema


def test_a_column_without_a_type_is_refused():
    with pytest.raises(SchemaError, match="column empty is null, which a Delta table cannot hold"):
        delta_schema(pa.schema([("empty", pa.null())]))


def test_a_type_that_delta_lacks_is_refused():
    with pytest.raises(SchemaError, match="column span is duration"):
        delta_schema(pa.schema([("span", pa.duration("us"))]))


def test_the_same_columns_in_another_order_are_no_growth():
    rows = relaxed(pa.schema(reversed(list(TABLE))))
    assert grown(TABLE, rows, may_grow=False) == pa.schema([])


def test_new_columns_are_found():
    rows = relaxed(pa.schema([("id", pa.int64()), ("name", pa.string())]))
    assert grown(TABLE, rows, may_grow=True).names == ["name"]


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        (("id", pa.string()), "column id is int64 in the table and string in the rows"),
        (("ID", pa.int64()), "column ID is id in the table, and case makes no two columns"),
        (("tags", pa.list_(pa.int64())), "column tags is list"),
        (("name", pa.string()), "the table has no column name, and mergeSchema is false"),
    ],
)
def test_any_other_change_is_refused_in_one_sentence(column, sentence):
    with pytest.raises(SchemaError, match=sentence):
        grown(TABLE, relaxed(pa.schema([column])), may_grow=False)
