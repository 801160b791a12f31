"""confluent-kafka's client gives topics their subjects, and its serializers find them there."""

from __future__ import annotations

import uuid

import pytest

from tests.interop.registry.topic_values import consumed, produced

client = pytest.importorskip(
    "confluent_kafka.schema_registry", reason="the registry's client is not installed"
)
avro = pytest.importorskip("confluent_kafka.schema_registry.avro", reason="fastavro is missing")
requests = pytest.importorskip("confluent_kafka.schema_registry.common.schema_registry_client")

ORDER = '{"type":"record","name":"Order","fields":[{"name":"id","type":"long"}]}'
NAMESPACE = "lkc-1"
pytestmark = pytest.mark.judge


def request(topic, **one):
    info = requests.AssociationCreateOrUpdateInfo(**one)
    return requests.AssociationCreateOrUpdateRequest(
        topic, NAMESPACE, f"id-{topic}", "topic", [info]
    )


def test_a_topic_gets_its_own_subject_and_loses_it(schemas, topic):
    schema = client.Schema(ORDER, "AVRO")
    made = schemas.create_association(request(topic, association_type="value", schema=schema))
    subject = f":.{NAMESPACE}:{topic}-value"
    assert [one.subject for one in made.associations] == [subject]
    (found,) = schemas.get_associations_by_resource_name(topic, NAMESPACE, "topic", ["value"])
    assert (found.subject, found.association_type) == (subject, "value")
    assert found.resource_id == f"id-{topic}"
    assert found.guid
    assert schemas.get_associations_by_resource_name(topic, "-", "topic", ["key"]) == []
    with pytest.raises(client.error.SchemaRegistryError) as frozen:
        schemas.delete_associations(f"id-{topic}")
    assert (frozen.value.http_status_code, frozen.value.error_code) == (409, 40908)
    schemas.delete_associations(f"id-{topic}", "topic", ["value"], cascade_lifecycle=True)
    assert schemas.get_associations_by_resource_name(topic, NAMESPACE) == []
    with pytest.raises(client.error.SchemaRegistryError, match="not found"):
        schemas.get_versions(subject)


def test_a_serializer_writes_with_the_subject_that_its_topic_shares(place, topic, schemas):
    subject = f"shared-{uuid.uuid4().hex[:8]}"
    schemas.register_schema(subject, client.Schema(ORDER, "AVRO"))
    wanted = request(topic, subject=subject, association_type="value", lifecycle="WEAK")
    schemas.create_association(wanted)
    serializer = avro.AvroSerializer(schemas, ORDER, conf={"auto.register.schemas": False})
    produced(place, topic, serializer, [{"id": 7}])
    assert consumed(place, topic, avro.AvroDeserializer(schemas), 1) == [{"id": 7}]
    assert f"{topic}-value" not in schemas.get_subjects()
    schemas.delete_associations(f"id-{topic}")
