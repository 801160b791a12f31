"""Covers moldau.spark.source.columns."""

from __future__ import annotations

import pyarrow as pa
import pytest
from pyspark.sql.types import IntegerType, LongType, StringType, StructField, StructType

from moldau.spark.errors import OptionError
from moldau.spark.source.columns import (
    all_columns,
    arrow_schema,
    ensure_columns,
    fitted,
    is_of_ranges,
)


def schema(*fields):
    return StructType([StructField(*field) for field in fields])


def test_headers_are_a_column_where_they_are_asked_for():
    assert "headers" not in all_columns(with_headers=False).names
    assert all_columns(with_headers=True).simpleString() == (
        "struct<key:binary,value:binary,topic:string,partition:int,offset:bigint,"
        "timestamp:timestamp,timestampType:int,headers:array<struct<key:string,value:binary>>>"
    )


def test_some_of_the_columns_can_be_named():
    ensure_columns(schema(("offset", LongType()), ("topic", StringType())))


def test_ranges_of_offsets_are_columns_of_their_own():
    names = [("topic", StringType()), ("partition", IntegerType())]
    ends = [("start", LongType()), ("end", LongType())]
    ensure_columns(schema(*names, *ends))
    assert is_of_ranges(schema(*names, *ends))
    assert not is_of_ranges(schema(*names))


@pytest.mark.parametrize(
    ("field", "message"),
    [
        (("price", LongType()), "no column 'price'"),
        (("offset", IntegerType()), "the column offset is bigint, not int"),
    ],
)
def test_columns_that_a_topic_lacks_are_refused(field, message):
    with pytest.raises(OptionError, match=message):
        ensure_columns(schema(field))


def test_a_batch_that_fits_is_handed_on_as_it_is():
    wanted = arrow_schema(schema(("offset", LongType())))
    batch = pa.record_batch([pa.array([1], pa.int64())], schema=wanted)
    assert fitted(batch, wanted) is batch


def test_columns_are_put_in_order_and_in_type():
    wanted = arrow_schema(schema(("offset", LongType()), ("topic", StringType())))
    topics = pa.array(["a"]).dictionary_encode()
    batch = pa.record_batch({"topic": topics, "offset": pa.array([1], pa.int64())})
    made = fitted(batch, wanted)
    assert made.schema == wanted
    assert made.to_pylist() == [{"offset": 1, "topic": "a"}]
