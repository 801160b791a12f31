"""confluent-kafka's client and serializers take our registry for Confluent's."""

from __future__ import annotations

import pytest

from tests.interop.registry.topic_values import consumed, produced

client = pytest.importorskip(
    "confluent_kafka.schema_registry", reason="the registry's client is not installed"
)
avro = pytest.importorskip("confluent_kafka.schema_registry.avro", reason="fastavro is missing")

ORDER = (
    '{"type":"record","name":"Order","namespace":"shop","fields":'
    '[{"name":"id","type":"long"},{"name":"what","type":"string"}]}'
)
LARGER = ORDER.replace("]}", ',{"name":"gift","type":"boolean","default":false}]}')
BROKEN = ORDER.replace("]}", ',{"name":"gift","type":"boolean"}]}')
pytestmark = pytest.mark.judge


def test_what_a_serializer_wrote_a_deserializer_reads(place, topic, schemas):
    values = [{"id": number, "what": f"tea {number}"} for number in range(5)]
    produced(place, topic, avro.AvroSerializer(schemas, ORDER), values)
    assert consumed(place, topic, avro.AvroDeserializer(schemas), 5) == values
    latest = schemas.get_latest_version(f"{topic}-value")
    assert (latest.version, latest.schema.schema_str) == (1, ORDER)


def test_a_reader_with_a_later_schema_reads_what_was_written_before(place, topic, schemas):
    produced(place, topic, avro.AvroSerializer(schemas, ORDER), [{"id": 1, "what": "tea"}])
    found = consumed(place, topic, avro.AvroDeserializer(schemas, LARGER), 1)
    assert found == [{"id": 1, "what": "tea", "gift": False}]


def test_what_is_incompatible_is_refused_before_anything_is_sent(place, topic, schemas):
    produced(place, topic, avro.AvroSerializer(schemas, ORDER), [{"id": 1, "what": "tea"}])
    given = [{"id": 1, "what": "tea", "gift": True}]
    with pytest.raises(Exception, match="READER_FIELD_MISSING_DEFAULT_VALUE"):
        produced(place, topic, avro.AvroSerializer(schemas, BROKEN), given)
    assert schemas.get_versions(f"{topic}-value") == [1]


def test_the_calls_of_the_client_get_what_they_ask_for(topic, schemas):
    schema = client.Schema(ORDER, "AVRO")
    number = schemas.register_schema(topic, schema)
    assert schemas.get_schema(number).schema_str == ORDER
    assert schemas.lookup_schema(topic, schema).version == 1
    assert schemas.test_compatibility(topic, client.Schema(LARGER, "AVRO"))
    assert not schemas.test_compatibility(topic, client.Schema(BROKEN, "AVRO"))
    assert schemas.set_compatibility(topic, "FULL") == {"compatibility": "FULL"}
    assert schemas.get_compatibility(topic) == "FULL"
    assert topic in schemas.get_subjects()
    assert schemas.delete_subject(topic) == [1]
    assert schemas.delete_subject(topic, permanent=True) == [1]
    with pytest.raises(client.error.SchemaRegistryError) as gone:
        schemas.get_versions(topic)
    assert (gone.value.http_status_code, gone.value.error_code) == (404, 40401)
