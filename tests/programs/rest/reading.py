"""What a topic has, read by librdkafka."""

from __future__ import annotations

from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition

WAIT_S = 60


def records_of(bootstrap, topic, count, partition=0):
    """So many records of a partition, from its beginning."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "reader"})
    consumer.assign([TopicPartition(topic, partition, OFFSET_BEGINNING)])
    found = consumer.consume(count, WAIT_S)
    consumer.close()
    assert len(found) == count
    assert not [one.error() for one in found if one.error()]
    return found
