"""Columns from and to a registry's frame; at the other end is confluent-kafka."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import functions as sql

from moldau.programs.pipelines.parsing import inferred_schema, parsed, read_schema
from moldau.schemas.model import SchemaText
from moldau.spark.errors import OptionError
from moldau.spark.registry import from_registry, to_registry
from tests.interop.registry.running_registry import RunningRegistry

pytestmark = [pytest.mark.judge, pytest.mark.timeout(300)]
theirs = pytest.importorskip("confluent_kafka.schema_registry")
avro = pytest.importorskip("confluent_kafka.schema_registry.avro")

PRICED = """{"type":"record","name":"Order","fields":[
  {"name":"id","type":"long"},
  {"name":"what","type":["null","string"],"default":null},
  {"name":"price","type":{"type":"bytes","logicalType":"decimal","precision":8,"scale":2}},
  {"name":"at","type":{"type":"long","logicalType":"timestamp-millis"}},
  {"name":"tags","type":{"type":"array","items":"string"}}]}"""
OLD = '{"type":"record","name":"Order","fields":[{"name":"id","type":"int"}]}'
COLUMNS = "id bigint, what string, price decimal(8,2), at timestamp, tags array<string>"
NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
ORDER = {"id": 2**40, "what": "tea", "price": Decimal("1.50"), "at": NOON, "tags": ["a", "b"]}
JSON = """{"title":"Order","type":"object","properties":{"id":{"type":"integer"},
"price":{"type":"object","properties":{"cents":{"type":"integer"}}}},"required":["id"]}"""


@pytest.fixture(scope="module")
def registry(topics, tmp_path_factory):
    running = RunningRegistry(tmp_path_factory.mktemp("registry"), topics.bootstrap)
    yield running.url
    running.stop()


@pytest.fixture
def schemas(registry):
    with theirs.SchemaRegistryClient({"url": registry}) as client:
        yield client


def about(topic):
    from confluent_kafka.serialization import MessageField, SerializationContext

    return SerializationContext(topic, MessageField.VALUE)


def rows(spark, values):
    return spark.createDataFrame([(value,) for value in values], "value binary")


def test_what_confluents_avro_serializer_wrote_has_columns_of_all_its_versions(
    spark, registry, schemas
):
    topic = about("orders")
    old = avro.AvroSerializer(schemas, OLD)(({"id": 1}), about("orders-of-old"))
    values = [avro.AvroSerializer(schemas, PRICED)(ORDER, topic), old, None]
    found = rows(spark, values).select(from_registry("value", registry, COLUMNS).alias("order"))
    first, second, third = (row.order for row in found.collect())
    assert first.asDict() | {"at": first.at.astimezone(UTC)} == ORDER
    assert (second.id, second.what, third) == (1, None, None)


def test_what_spark_writes_confluents_deserializer_reads(spark, registry, schemas):
    made = spark.sql(
        "select 5L as id, 'tea' as what, 1.5BD as price, timestamp'2026-11-23 12:00:00' as at,"
        " array('a') as tags"
    )
    made = made.withColumn("price", sql.col("price").cast("decimal(8,2)"))
    value = to_registry(sql.struct("*"), registry, subject="made-value", schema=PRICED)
    (row,) = made.select(value.alias("value")).collect()
    read = avro.AvroDeserializer(schemas)(bytes(row.value), about("made"))
    assert read == {**ORDER, "id": 5, "tags": ["a"]}


@pytest.mark.long
def test_what_cannot_be_read_ends_the_query_or_is_null(spark, registry):
    bad = rows(spark, [b"no frame"])
    lenient = from_registry("value", registry, "id bigint", mode="permissive")
    assert bad.select(lenient.alias("order")).first().order is None
    with pytest.raises(PySparkException, match="does not begin with the id of a schema"):
        bad.select(from_registry("value", registry, "id bigint")).collect()
    with pytest.raises(OptionError, match="mode is 'loose'"):
        from_registry("value", registry, "id bigint", mode="loose")


def test_records_are_judged_by_the_schema_that_they_name(spark, registry, schemas):
    topic = about("judged")
    good = avro.AvroSerializer(schemas, OLD)({"id": 7}, topic)
    values = [good, b"{}", good[:-1], b"x" * 300, None]
    records = rows(spark, values)
    assert inferred_schema(records.where("length(value) < 100"), "registry", registry).names == [
        "id"
    ]
    judged = parsed(records, "registry", read_schema("id int"), size_max=200, registry=registry)
    found = [(row.row and row.row.id, row.reason, row.detail) for row in judged.collect()]
    assert found[0] == (7, None, None)
    assert [reason for _, reason, _ in found[1:]] == [
        *("unparsable", "unparsable", "oversized", "empty")
    ]
    assert "begin with the id of a schema" in found[1][2]
    assert "end too early" in found[2][2]


@pytest.mark.long
def test_the_reader_decides_what_older_records_are(spark, registry, schemas):
    old = avro.AvroSerializer(schemas, OLD)({"id": 1}, about("read"))
    reader = SchemaText(OLD.replace("}]}", '},{"name":"gift","type":"int","default":3}]}'))
    order = from_registry("value", registry, "id bigint, gift int", reader=reader)
    assert rows(spark, [old]).select(order.alias("order")).first().order == (1, 3)


@pytest.mark.long
def test_json_schema_goes_both_ways(spark, registry, schemas):
    json_schema = pytest.importorskip("confluent_kafka.schema_registry.json_schema")
    value = {"id": 2**60, "price": {"cents": 5}}
    data = json_schema.JSONSerializer(JSON, schemas)(value, about("json"))
    order = from_registry("value", registry, "id bigint, price struct<cents: bigint>")
    frame = rows(spark, [data]).select(order.alias("order"))
    assert frame.first().order == (2**60, (5,))
    again = frame.select(to_registry("order", registry, subject="json-value").alias("value"))
    read = json_schema.JSONDeserializer(JSON, schema_registry_client=schemas)
    assert read(bytes(again.first().value), about("json")) == value


@pytest.mark.long
def test_protobuf_goes_both_ways(spark, registry, schemas):
    protobuf = pytest.importorskip("confluent_kafka.schema_registry.protobuf")
    from tests.interop.registry.order_message import made_order_class

    kind = made_order_class()
    message = kind(id=2**60)
    message.price.cents = 5
    data = protobuf.ProtobufSerializer(kind, schemas)(message, about("proto"))
    order = from_registry("value", registry, "id bigint, price struct<cents: bigint>")
    frame = rows(spark, [data]).select(order.alias("order"))
    assert frame.first().order == (2**60, (5,))
    proto = 'syntax = "proto3"; package shop; message Order { int64 id = 1; Money price = 2; }'
    proto += " message Money { int64 cents = 1; }"
    value = to_registry("order", registry, subject="made-proto", schema=proto, kind="PROTOBUF")
    (again,) = frame.select(value.alias("value")).collect()
    assert schemas.get_latest_version("made-proto").schema.schema_type == "PROTOBUF"
    assert bytes(again.value).endswith(message.SerializeToString())
