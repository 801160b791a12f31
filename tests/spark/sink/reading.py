"""What librdkafka reads of a topic with read_committed, up to where it ends."""

from __future__ import annotations

import confluent_kafka
from confluent_kafka import Consumer, KafkaError, TopicPartition

PATIENCE_S = 30


def read_committed(bootstrap: str, topic: str) -> list[confluent_kafka.Message]:
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": "judge",
            "isolation.level": "read_committed",
            "enable.partition.eof": "true",
            "enable.auto.commit": "false",
        }
    )
    try:
        parts = consumer.list_topics(topic, PATIENCE_S).topics[topic].partitions
        consumer.assign([TopicPartition(topic, number, 0) for number in parts])
        found: list[confluent_kafka.Message] = []
        ended: set[int | None] = set()
        while len(ended) < len(parts):
            message = consumer.poll(PATIENCE_S)
            assert message is not None, f"{topic} has no end"
            error = message.error()
            if error is None:
                found.append(message)
            else:
                assert error.code() == KafkaError._PARTITION_EOF, str(error)
                ended.add(message.partition())
        return found
    finally:
        consumer.close()
