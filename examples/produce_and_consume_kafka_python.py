"""The same with kafka-python, a client written in Python alone.

    moldau start
    python examples/produce_and_consume_kafka_python.py localhost:9092

prints

    record 0 is at orders-kafka-python-0, offset 0
    record 1 is at orders-kafka-python-0, offset 1
    record 2 is at orders-kafka-python-0, offset 2
    read: apple, banana, cherry

The topic comes into being with the first record (auto.create.topics.enable). Run again, it appends.
"""

from __future__ import annotations

import sys

from kafka import KafkaConsumer, KafkaProducer

BOOTSTRAP = sys.argv[1] if len(sys.argv) > 1 else "localhost:9092"
TOPIC = "orders-kafka-python"
FRUIT = ["apple", "banana", "cherry"]
TIMEOUT_MS = 30_000


def produce() -> None:
    producer = KafkaProducer(bootstrap_servers=BOOTSTRAP, acks="all")
    for number, fruit in enumerate(FRUIT):
        placed = producer.send(TOPIC, fruit.encode()).get(timeout=TIMEOUT_MS / 1000)
        print(f"record {number} is at {placed.topic}-{placed.partition}, offset {placed.offset}")
    producer.close()


def consume() -> None:
    consumer = KafkaConsumer(
        TOPIC,
        bootstrap_servers=BOOTSTRAP,
        group_id="readers-kafka-python",
        auto_offset_reset="earliest",
        consumer_timeout_ms=TIMEOUT_MS,
    )
    read = [next(consumer).value.decode() for _ in FRUIT]
    print("read:", ", ".join(read))
    consumer.close()


if __name__ == "__main__":
    produce()
    consume()
