"""confluent-kafka's serializers for JSON Schema, with our registry."""

from __future__ import annotations

import json

import pytest

from tests.interop.registry.topic_values import consumed, produced

client = pytest.importorskip(
    "confluent_kafka.schema_registry", reason="the registry's client is not installed"
)
json_schema = pytest.importorskip(
    "confluent_kafka.schema_registry.json_schema", reason="jsonschema is missing"
)

MONEY = {"$id": "money.json", "type": "object", "properties": {"cents": {"type": "integer"}}}
ORDER = {
    "title": "Order",
    "type": "object",
    "properties": {"id": {"type": "integer"}, "price": {"$ref": "money.json"}},
    "additionalProperties": False,
}
VALUE = {"id": 1, "price": {"cents": 250}}
pytestmark = pytest.mark.judge


def schema_of(schemas, topic):
    schemas.register_schema(f"{topic}-money", client.Schema(json.dumps(MONEY), "JSON"))
    reference = client.schema_registry_client.SchemaReference("money.json", f"{topic}-money", 1)
    return client.Schema(json.dumps(ORDER), "JSON", [reference])


def test_what_a_serializer_wrote_a_deserializer_reads(place, topic, schemas):
    schema = schema_of(schemas, topic)
    serializer = json_schema.JSONSerializer(schema, schemas)
    produced(place, topic, serializer, [VALUE])
    deserializer = json_schema.JSONDeserializer(None, schema_registry_client=schemas)
    assert consumed(place, topic, deserializer, 1) == [VALUE]
    latest = schemas.get_latest_version(f"{topic}-value")
    assert (latest.schema.schema_type, latest.schema.references[0].version) == ("JSON", 1)


def test_a_narrower_schema_is_refused(topic, schemas):
    schemas.register_schema(f"{topic}-value", client.Schema('{"type":"number"}', "JSON"))
    with pytest.raises(client.error.SchemaRegistryError, match="TYPE_NARROWED") as refused:
        schemas.register_schema(f"{topic}-value", client.Schema('{"type":"integer"}', "JSON"))
    assert refused.value.http_status_code == 409
    with pytest.raises(client.error.SchemaRegistryError, match="different schema type"):
        schemas.register_schema(f"{topic}-value", client.Schema('"int"', "AVRO"))
