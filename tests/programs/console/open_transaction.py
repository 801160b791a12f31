"""A transaction with one record in it that librdkafka has begun, and has not ended yet."""

from __future__ import annotations

from confluent_kafka import Producer

__all__ = ["open_transaction"]

SECONDS_MAX = 60


def open_transaction(bootstrap: str, name: str, topic: str) -> Producer:
    """What ends it."""
    producer = Producer({"bootstrap.servers": bootstrap, "transactional.id": name})
    producer.init_transactions(SECONDS_MAX)
    producer.begin_transaction()
    producer.produce(topic, b"open", partition=0)
    producer.flush(SECONDS_MAX)
    return producer
