"""confluent-kafka's serializers for Protobuf, with our registry."""

from __future__ import annotations

import pytest

from tests.interop.registry.topic_values import consumed, produced

client = pytest.importorskip(
    "confluent_kafka.schema_registry", reason="the registry's client is not installed"
)
protobuf = pytest.importorskip(
    "confluent_kafka.schema_registry.protobuf", reason="protobuf is missing"
)

pytestmark = pytest.mark.judge


def test_what_a_serializer_wrote_a_deserializer_reads(place, topic, schemas, order_class):
    given = {"use.deprecated.format": False}
    order = order_class(id=7, price={"cents": 250})
    serializer = protobuf.ProtobufSerializer(order_class, schemas, given)
    produced(place, topic, serializer, [order])
    deserializer = protobuf.ProtobufDeserializer(order_class, given, schemas)
    assert consumed(place, topic, deserializer, 1) == [order]
    latest = schemas.get_latest_version(f"{topic}-value").schema
    assert (latest.schema_type, latest.references[0].name) == ("PROTOBUF", "money.proto")
    assert "message Order {" in latest.schema_str


def test_a_message_that_vanishes_is_refused(topic, schemas):
    schema = client.Schema("message A {} message B {}", "PROTOBUF")
    schemas.register_schema(f"{topic}-value", schema)
    smaller = client.Schema("message A {}", "PROTOBUF")
    with pytest.raises(client.error.SchemaRegistryError, match="MESSAGE_REMOVED"):
        schemas.register_schema(f"{topic}-value", smaller)
