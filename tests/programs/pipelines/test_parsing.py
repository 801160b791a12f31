"""Every record becomes a row or a letter with a reason, always the same one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pyspark.sql import types

from moldau.programs.pipelines.errors import SettingError
from moldau.programs.pipelines.parsing import columns_of, good, inferred_schema, parsed, read_schema

pytestmark = [pytest.mark.judge, pytest.mark.timeout(600)]
WRITTEN = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)
VALUES = {
    b'{"id": 1, "name": "x", "at": "2026-11-21T11:30:00Z"}': None,
    b'{"id": 2}': None,
    b'{"id": 3, "more": [1]}': None,
    None: "empty",
    b"x" * 101: "oversized",
    b"no json": "unparsable",
    b"": "unparsable",
    b"5": "unparsable",
    b'{"id": ': "unparsable",
    b"\xff\xfe": "unparsable",
    b'{"id": "one"}': "drifted",
    b'{"id": 1.5, "name": "x"}': "drifted",
    b'{"id": 4, "at": "2026-11-21T10:59:59Z"}': "late",
    b'{"id": 5, "at": "2026-11-21T11:00:00Z"}': None,
    b'{"id": 6, "at": "2026-11-21T13:00:00Z"}': None,
    b'{"id": 7, "at": "2026-11-21T13:00:01Z"}': "early",
    b'{"id": 8, "at": "2099-01-01T00:00:00Z"}': "early",
}


def records(spark, values):
    rows = [(bytearray(value) if value is not None else None, WRITTEN) for value in values]
    return spark.createDataFrame(rows, "value binary, timestamp timestamp")


def test_each_json_record_has_its_reason(spark):
    schema = read_schema("id bigint, name string, at timestamp")
    values = {**VALUES, b'{"name": "x"}': "incomplete"}
    found = parsed(
        records(spark, values),
        "json",
        schema,
        size_max=100,
        event_time="at",
        late_after_s=3600,
        needed=("id",),
    )
    assert [row["reason"] for row in found.collect()] == list(values.values())


def test_a_value_is_read_once_for_all_that_is_asked_of_good_rows(spark):
    schema = read_schema("id bigint, at timestamp")
    judged = parsed(
        records(spark, VALUES), "json", schema, size_max=100, event_time="at", late_after_s=3600
    )
    found = good(judged)
    assert found.columns == judged.columns
    assert found.count() == list(VALUES.values()).count(None)
    plan = found.select("row.id")._jdf.queryExecution().optimizedPlan().toString()
    assert plan.count("from_json") == 1


def test_a_number_without_an_end_is_none_where_it_is_needed(spark):
    values = {
        b'{"sum": 1e308}': None,
        b'{"sum": 1e999}': "drifted",
        b'{"sum": NaN}': "drifted",
        b'{"sum": -Infinity}': "drifted",
        b"{}": "incomplete",
    }
    rows = parsed(
        records(spark, values), "json", read_schema("sum double"), size_max=100, needed=("sum",)
    )
    found = rows.collect()
    assert [row["reason"] for row in found] == list(values.values())
    assert found[1]["detail"] == "its sum is Infinity"


def test_each_line_of_csv_has_its_reason(spark):
    values = {b"1,x": None, b'2,"a,b"': None, b"one,x": "drifted", b" ": "unparsable"}
    schema = read_schema("id bigint, name string")
    rows = parsed(records(spark, values), "csv", schema, size_max=100).collect()
    assert [row["reason"] for row in rows] == list(values.values())
    assert rows[1]["row"]["name"] == "a,b"


def test_raw_bytes_are_rows_as_they_are(spark):
    values = {b"\xff\x00": None, b"x" * 101: "oversized", None: "empty"}
    rows = parsed(records(spark, values), "raw", types.StructType([]), size_max=100).collect()
    assert [row["reason"] for row in rows] == list(values.values())
    assert bytes(rows[0]["row"]["value"]) == b"\xff\x00"


def test_columns_are_inferred_from_the_objects_alone(spark):
    values = [b'{"id": 1, "price": 2.50}', b'{"id": 2, "tags": ["a"], "gone": null}', b"no", b"5"]
    found = inferred_schema(records(spark, values))
    assert found.simpleString() == "struct<id:bigint,price:double,tags:array<string>>"
    assert inferred_schema(records(spark, [b"no"])) == types.StructType([])


def test_what_spark_says_of_variants_becomes_columns(spark):
    declared = "OBJECT<A: BIGINT, a: STRING, b: VARIANT, c: VOID, d: OBJECT<`x y`: VOID>>"
    assert columns_of(declared).simpleString() == "struct<A:bigint,b:string,d:struct<x y:string>>"
    assert columns_of("VARIANT") == types.StructType([])


def test_a_schema_that_is_none_is_refused(spark):
    with pytest.raises(SettingError, match="schema is a list of names and types"):
        read_schema("id whatever")
