"""Which columns become what of a record."""

from __future__ import annotations

import pyarrow as pa
import pytest

from moldau.spark.errors import OptionError
from moldau.spark.sink.columns import by_topic, ensure_writable

types = pytest.importorskip("pyspark.sql.types")
ROWS = pa.RecordBatch.from_pydict(
    {"topic": ["a", "b", "a"], "value": [b"1", b"2", b"3"], "more": [1, 2, 3]}
)

STRING, MAP = types.StringType(), types.MapType(types.StringType(), types.StringType())
KINDS = {"string": STRING, "int": types.IntegerType(), "map": MAP}


def schema_of(text):
    pairs = [column.split(" ") for column in text.split(", ")]
    return types.StructType([types.StructField(name, KINDS[kind]) for name, kind in pairs])


def test_rows_go_to_the_topics_that_they_name_in_their_order():
    found = {topic: rows.to_pydict() for topic, rows in by_topic(ROWS, "")}
    assert found == {"a": {"value": [b"1", b"3"]}, "b": {"value": [b"2"]}}


def test_the_option_names_the_topic_of_all_rows():
    assert [(topic, rows.num_rows) for topic, rows in by_topic(ROWS, "c")] == [("c", 3)]


def test_a_row_without_a_topic_is_refused():
    rows = pa.RecordBatch.from_pydict({"topic": ["a", None], "value": [b"1", b"2"]})
    with pytest.raises(OptionError, match="a row has no topic"):
        list(by_topic(rows, ""))


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ("key string", "need a column value"),
        ("value string", "no topic is named"),
        ("value int, topic string", "value is int and has to be binary or string"),
        ("value string, topic string, partition string", "partition is string"),
        ("value string, topic string, headers map", "headers is map"),
    ],
)
def test_columns_that_make_no_record_are_refused(columns, sentence):
    with pytest.raises(OptionError, match=sentence):
        ensure_writable(schema_of(columns), "")
