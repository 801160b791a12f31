"""Values through a topic, with serializers of confluent-kafka's."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

confluent_kafka = pytest.importorskip("confluent_kafka", reason="confluent-kafka is not installed")
serialization = pytest.importorskip("confluent_kafka.serialization")

SECONDS_MAX = 60


def produced(place, topic, serializer, values):
    context = serialization.SerializationContext
    field = serialization.MessageField.VALUE
    producer = confluent_kafka.Producer({"bootstrap.servers": place})
    for value in values:
        producer.produce(topic, serializer(value, context(topic, field)), partition=0)
    assert producer.flush(SECONDS_MAX) == 0


def consumed(place, topic, deserializer, count):
    context = serialization.SerializationContext
    field = serialization.MessageField.VALUE
    given = {
        "bootstrap.servers": place,
        "group.id": uuid.uuid4().hex,
        "auto.offset.reset": "earliest",
    }
    consumer = confluent_kafka.Consumer(given)
    consumer.subscribe([topic])
    found: list[Any] = []
    for _ in range(SECONDS_MAX):
        found += consumer.consume(count - len(found), 1)
        if len(found) >= count:
            break
    consumer.close()
    assert [one.error() for one in found] == [None] * count
    return [deserializer(one.value(), context(topic, field)) for one in found]
