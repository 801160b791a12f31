"""Columns of Spark and Arrow; Arrow itself reads what is written for it."""

from __future__ import annotations

import pytest

from tests.schemas.shapes.texts import AVRO, JSON, PROTOBUF, shown

pa = pytest.importorskip("pyarrow")

LINE = "STRUCT<what: STRING NOT NULL>"
BELOW = "STRUCT<what: STRING NOT NULL, below: STRUCT<count: BIGINT NOT NULL>>"
GIFT = "STRUCT<what: STRING NOT NULL, gift: BOOLEAN NOT NULL>"
SPARK = {
    "AVRO": f"id BIGINT NOT NULL, kind STRING NOT NULL, at TIMESTAMP NOT NULL, "
    f"price DECIMAL(9,2) NOT NULL, lines ARRAY<{LINE}> NOT NULL, first {LINE}, "
    "tags MAP<STRING, DOUBLE> NOT NULL, either STRING NOT NULL, raw BINARY NOT NULL",
    "JSON": "id BIGINT NOT NULL, at TIMESTAMP, kind STRING NOT NULL, "
    f"lines ARRAY<{BELOW}> NOT NULL, `first-line` {BELOW} NOT NULL, "
    "either STRING, more STRING, tags MAP<STRING, DOUBLE>, class BOOLEAN",
    "PROTOBUF": f"id BIGINT NOT NULL, what STRING, lines ARRAY<{GIFT}> NOT NULL, "
    "tags MAP<STRING, DOUBLE> NOT NULL, at TIMESTAMP, count INT, kind STRING NOT NULL, "
    f"large DECIMAL(20,0) NOT NULL, raw BINARY NOT NULL, first {GIFT}",
}


@pytest.mark.parametrize(("text", "kind"), [(AVRO, "AVRO"), (JSON, "JSON"), (PROTOBUF, "PROTOBUF")])
def test_the_ddl_of_spark_has_every_column(text, kind):
    assert shown(text, kind, "spark") == SPARK[kind]


def arrow(text, kind="AVRO"):
    return eval(shown(text, kind, "arrow"), {"pa": pa})  # it is what is tested


def test_arrow_makes_a_schema_of_avro():
    line = pa.struct([pa.field("what", pa.string(), nullable=False)])
    either = pa.dense_union([pa.field("0", pa.int32()), pa.field("1", pa.string())])
    found = arrow(AVRO)
    assert {field.name: field.type for field in found} == {
        "id": pa.int64(),
        "kind": pa.string(),
        "at": pa.timestamp("us", tz="UTC"),
        "price": pa.decimal128(9, 2),
        "lines": pa.list_(line),
        "first": line,
        "tags": pa.map_(pa.string(), pa.float64()),
        "either": either,
        "raw": pa.binary(),
    }
    assert [field.name for field in found if field.nullable] == ["first"]


def test_arrow_makes_schemas_of_the_other_languages():
    of_json, of_protobuf = arrow(JSON, "JSON"), arrow(PROTOBUF, "PROTOBUF")
    assert [one.name for one in of_json if not one.nullable] == [
        "id",
        "kind",
        "lines",
        "first-line",
    ]
    assert of_protobuf.field("tags").type == pa.map_(pa.int32(), pa.float64())
    assert of_protobuf.field("large").type == pa.uint64()
    assert [one.name for one in of_protobuf if one.nullable] == ["what", "at", "count", "first"]


@pytest.mark.parametrize(
    ("text", "spark", "kind"),
    [
        ('{"type":"array","items":"float"}', "ARRAY<FLOAT>", pa.list_(pa.float32())),
        ('["null","boolean"]', "BOOLEAN", pa.bool_()),
        ('"null"', "VOID", pa.null()),
        (
            '{"type":"bytes","logicalType":"decimal","precision":60,"scale":1}',
            "STRING",
            pa.decimal256(60, 1),
        ),
        (
            '{"type":"bytes","logicalType":"decimal","precision":90,"scale":1}',
            "STRING",
            pa.string(),
        ),
        ('{"type":"long","logicalType":"time-micros"}', "STRING", pa.time64("us")),
        (
            '{"type":"long","logicalType":"local-timestamp-millis"}',
            "TIMESTAMP_NTZ",
            pa.timestamp("us"),
        ),
    ],
)
def test_what_is_no_record_is_a_type_alone(text, spark, kind):
    assert shown(text, "AVRO", "spark") == spark
    assert arrow(text) == kind


def test_a_name_with_quotes_stays_a_name():
    text = '{"type":"object","properties":{"a`b\\"]) \'":{"type":"null"}}}'
    assert shown(text, "JSON", "spark") == """`a``b"]) '` VOID"""
    assert arrow(text, "JSON").names == ["a`b\"]) '"]
