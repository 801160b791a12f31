"""What the proxy writes by schemas, confluent-kafka's deserializers read."""

from __future__ import annotations

import json

import pytest

from tests.interop.registry.topic_values import consumed
from tests.programs.rest.running_rest import RunningRest

client = pytest.importorskip(
    "confluent_kafka.schema_registry", reason="the registry's client is not installed"
)
avro = pytest.importorskip("confluent_kafka.schema_registry.avro", reason="fastavro is missing")
json_schema = pytest.importorskip(
    "confluent_kafka.schema_registry.json_schema", reason="jsonschema is missing"
)
protobuf = pytest.importorskip("confluent_kafka.schema_registry.protobuf")
ORDER = (
    '{"type":"record","name":"Order","namespace":"shop","fields":'
    '[{"name":"id","type":"long"},{"name":"what","type":["null","string"]}]}'
)
PROTO = """syntax = "proto3"; package shop;
message Order { int64 id = 1; Money price = 2; }
message Money { int64 cents = 1; }"""
OBJECT = '{"type":"object","properties":{"id":{"type":"integer"}}}'
VALUE = {"id": 1, "what": {"string": "tea"}}
V2 = "application/vnd.kafka.v2+json"
pytestmark = pytest.mark.judge


@pytest.fixture(scope="module")
def rest(place, registry, tmp_path_factory):
    folder = tmp_path_factory.mktemp("rest")
    running = RunningRest(folder, place, "--registry-url", registry.url)
    yield running
    running.stop()


@pytest.fixture
def made(rest, topic):
    status, _ = rest.v3("POST", "topics", {"topic_name": topic, "partitions_count": 1})
    assert status == 201
    return topic


def media(name):
    return f"application/vnd.kafka.{name}.v2+json"


def read_by_the_proxy(rest, topic, data_format):
    """What a consumer that lives in the proxy has read."""
    base = f"/consumers/{topic}-{data_format}"
    given = {"name": "one", "format": data_format, "auto.offset.reset": "earliest"}
    assert rest.ask("POST", base, given, V2)[0] == 200
    one = f"{base}/instances/one"
    part = {"partitions": [{"topic": topic, "partition": 0}]}
    assert rest.ask("POST", f"{one}/assignments", part, V2)[0] == 204
    found = rest.ask("GET", f"{one}/records?timeout=60000", Accept=media(data_format))
    rest.ask("DELETE", one)
    return found


def test_avro_by_version_2_and_3_is_read_by_its_deserializer(rest, place, made, schemas):
    body = {"value_schema": ORDER, "records": [{"value": VALUE}, {"value": None}]}
    status, first = rest.ask("POST", f"/topics/{made}", body, media("avro"))
    assert (status, [one["offset"] for one in first["offsets"]]) == (200, [0, 1])
    latest = schemas.get_latest_version(f"{made}-value")
    assert (first["key_schema_id"], first["value_schema_id"]) == (None, latest.schema_id)
    by_id = {"value_schema_id": latest.schema_id, "records": [{"value": {**VALUE, "what": None}}]}
    assert rest.ask("POST", f"/topics/{made}", by_id, media("avro"))[0] == 200
    [report] = rest.reports(made, json.dumps({"value": {"data": VALUE}}).encode())
    account = {"type": "AVRO", "subject": f"{made}-value", "schema_version": 1}
    assert report["value"] == {**account, "schema_id": latest.schema_id, "size": 11}
    tea = {"id": 1, "what": "tea"}
    read = consumed(place, made, avro.AvroDeserializer(schemas), 4)
    assert read == [tea, None, {"id": 1, "what": None}, tea]
    status, shown = read_by_the_proxy(rest, made, "avro")
    assert status == 200
    assert [one["value"] for one in shown] == [VALUE, None, {**VALUE, "what": None}, VALUE]


def test_json_schema_is_read_by_its_deserializer(rest, place, made, schemas):
    body = {"value_schema": OBJECT, "records": [{"value": {"id": 1}}]}
    assert rest.ask("POST", f"/topics/{made}", body, media("jsonschema"))[0] == 200
    part = {"type": "JSONSCHEMA", "schema": OBJECT, "data": {"id": 2}}
    [report] = rest.reports(made, json.dumps({"value": part}).encode())
    assert (report["error_code"], report["value"]["type"]) == (200, "JSONSCHEMA")
    deserializer = json_schema.JSONDeserializer(None, schema_registry_client=schemas)
    assert consumed(place, made, deserializer, 2) == [{"id": 1}, {"id": 2}]
    assert [one["value"]["id"] for one in read_by_the_proxy(rest, made, "jsonschema")[1]] == [1, 2]


def test_protobuf_is_read_by_its_deserializer(rest, place, made, order_class):
    body = {"value_schema": PROTO, "records": [{"value": {"id": 1, "price": {"cents": 5}}}]}
    assert rest.ask("POST", f"/topics/{made}", body, media("protobuf"))[0] == 200
    part = {"type": "PROTOBUF", "schema": PROTO, "data": {"id": "2"}}
    [report] = rest.reports(made, json.dumps({"value": part}).encode())
    assert (report["error_code"], report["value"]["type"]) == (200, "PROTOBUF")
    deserializer = protobuf.ProtobufDeserializer(order_class, {"use.deprecated.format": False})
    assert [(one.id, one.price.cents) for one in consumed(place, made, deserializer, 2)] == [
        (1, 5),
        (2, 0),
    ]
    values = [one["value"] for one in read_by_the_proxy(rest, made, "protobuf")[1]]
    assert values == [{"id": "1", "price": {"cents": "5"}}, {"id": "2"}]


REFUSED = {
    "no schema of the keys": ({"value_schema": '"int"', "records": [{"key": 1}]}, 42201),
    "no schema of the values": ({"key_schema": '"int"', "records": [{"value": 1}]}, 42202),
    "data of another type": (
        {"value_schema": '"int"', "records": [{"value": 1}, {"value": "x"}]},
        400,
    ),
    "no schema": ({"value_schema": '"nope"', "records": [{"value": 1}]}, 42205),
    "no such id": ({"value_schema_id": 99_999, "records": [{"value": 1}]}, 42207),
}


def test_what_cannot_be_written_refuses_the_request_as_a_whole(rest, made):
    answers = {
        name: rest.ask("POST", f"/topics/{made}", body, media("avro"))[1]
        for name, (body, _) in REFUSED.items()
    }
    assert {name: one["error_code"] for name, one in answers.items()} == {
        name: code for name, (_, code) in REFUSED.items()
    }
    assert "records.1.value: 'x' is no int" in answers["data of another type"]["message"]
    assert rest.get(f"/topics/{made}/partitions/0/offsets")["end_offset"] == 0
