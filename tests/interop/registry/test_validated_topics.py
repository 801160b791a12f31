"""A broker refuses what names no schema: to confluent-kafka's producer, by our registry."""

from __future__ import annotations

import pytest

from tests.interop.registry.topic_values import consumed, produced

confluent_kafka = pytest.importorskip("confluent_kafka", reason="it is not installed")
admin = pytest.importorskip("confluent_kafka.admin")
avro = pytest.importorskip("confluent_kafka.schema_registry.avro", reason="fastavro is missing")
pytestmark = pytest.mark.judge
SECONDS_MAX = 60
ORDER = '{"type":"record","name":"Order","fields":[{"name":"id","type":"long"}]}'
URL = "confluent.schema.registry.url"
BOTH = ("confluent.key.schema.validation", "confluent.value.schema.validation")


@pytest.fixture
def validated(place, topic, registry):
    client = admin.AdminClient({"bootstrap.servers": place})
    new = admin.NewTopic(topic, 1, 1, config={**dict.fromkeys(BOTH, "true"), **PAYLOAD})
    client.create_topics([new])[topic].result(SECONDS_MAX)
    entry = admin.ConfigEntry(URL, registry.url, incremental_operation=admin.AlterConfigOpType.SET)
    number = str(client.list_topics(topic, SECONDS_MAX).orig_broker_id)
    broker = admin.ConfigResource("broker", number, incremental_configs=[entry])
    client.incremental_alter_configs([broker])[broker].result(SECONDS_MAX)
    return topic


PAYLOAD = {"schema.validation.payload": "true"}


def test_a_producer_that_runs_no_rules_cannot_break_one(place, validated, schemas):
    pytest.importorskip("celpy", reason="rules need cel-python")
    client = admin.AdminClient({"bootstrap.servers": place})
    entry = admin.ConfigEntry(
        "schema.validation.rules", "true", incremental_operation=admin.AlterConfigOpType.SET
    )
    resource = admin.ConfigResource("topic", validated, incremental_configs=[entry])
    client.incremental_alter_configs([resource])[resource].result(SECONDS_MAX)
    rules = confluent_kafka.schema_registry.RuleSet(
        None,
        [
            confluent_kafka.schema_registry.Rule(
                "positive",
                None,
                confluent_kafka.schema_registry.RuleKind.CONDITION,
                confluent_kafka.schema_registry.RuleMode.WRITE,
                "CEL",
                None,
                None,
                "message.id > 0",
                None,
                None,
                False,
            )
        ],
    )
    schema = confluent_kafka.schema_registry.Schema(ORDER, "AVRO", rule_set=rules)
    number = schemas.register_schema(f"{validated}-value", schema)
    good, bad = (b"\0" + number.to_bytes(4, "big") + one for one in (b"\x0e", b"\x0d"))
    invalid = confluent_kafka.KafkaError.INVALID_RECORD
    assert refused(place, validated, bad) == [invalid]
    assert refused(place, validated, good) == [None]
    assert consumed(place, validated, avro.AvroDeserializer(schemas), 1) == [{"id": 7}]


def refused(place, topic, *values, key=None):
    """The codes that the producer gets for these values, sent in one batch."""
    producer = confluent_kafka.Producer({"bootstrap.servers": place, "linger.ms": 50})
    errors = []
    for value in values:
        producer.produce(topic, value, key, on_delivery=lambda error, _: errors.append(error))
    assert producer.flush(SECONDS_MAX) == 0
    return [None if error is None else error.code() for error in errors]


def test_only_what_a_serializer_wrote_gets_into_the_topic(place, validated, schemas):
    serializer = avro.AvroSerializer(schemas, ORDER)
    value = {"id": 7}
    produced(place, validated, serializer, [value])
    other = confluent_kafka.schema_registry.Schema('"int"', "AVRO")
    foreign = schemas.register_schema(f"{validated}-elsewhere", other)
    number = schemas.get_latest_version(f"{validated}-value").schema_id
    good, wrong, odd = (
        b"\0" + one.to_bytes(4, "big") + b"\x0e" for one in (number, foreign, 999_999)
    )
    invalid = confluent_kafka.KafkaError.INVALID_RECORD
    for bad in (b"bare", wrong, odd, good + b"\1"):
        assert refused(place, validated, bad) == [invalid]
    assert refused(place, validated, good, key=b"bare") == [invalid]
    assert refused(place, validated, good) == [None]
    assert consumed(place, validated, avro.AvroDeserializer(schemas), 2) == [value, value]
