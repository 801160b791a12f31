"""Producer, admin client and consumer group with confluent-kafka (librdkafka).

    moldau start
    python examples/produce_and_consume_confluent.py localhost:9092

creates a topic of three partitions, writes six records, reads them back and prints

    orders-confluent has 3 partitions
    6 records are acknowledged
    alice ordered apple, cherry, elderberry
    bob ordered banana, date, fig
    the group has committed 6 offsets

Run again, it appends to the topic, and its group goes on where it has stopped.
"""

from __future__ import annotations

import sys
from collections import defaultdict

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

BOOTSTRAP = sys.argv[1] if len(sys.argv) > 1 else "localhost:9092"
TOPIC, GROUP = "orders-confluent", "readers-confluent"
FRUIT = ["apple", "banana", "cherry", "date", "elderberry", "fig"]
PARTITIONS = 3
TIMEOUT_S = 30


def create_topic() -> None:
    admin = AdminClient({"bootstrap.servers": BOOTSTRAP})
    try:
        admin.create_topics([NewTopic(TOPIC, PARTITIONS)])[TOPIC].result(TIMEOUT_S)
    except KafkaException as refused:
        if refused.args[0].name() != "TOPIC_ALREADY_EXISTS":
            raise
    partitions = admin.list_topics(TOPIC, TIMEOUT_S).topics[TOPIC].partitions
    print(f"{TOPIC} has {len(partitions)} partitions")


def produce() -> None:
    producer = Producer({"bootstrap.servers": BOOTSTRAP, "enable.idempotence": True})
    acknowledged = []
    for number, fruit in enumerate(FRUIT):
        producer.produce(
            TOPIC,
            key=("alice", "bob")[number % 2],
            value=fruit,
            on_delivery=lambda error, message: None if error else acknowledged.append(message),
        )
    producer.flush(TIMEOUT_S)
    print(f"{len(acknowledged)} records are acknowledged")


def consume() -> None:
    consumer = Consumer(
        {
            "bootstrap.servers": BOOTSTRAP,
            "group.id": GROUP,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe([TOPIC])
    ordered: dict[bytes, list[str]] = defaultdict(list)
    for message in consumer.consume(len(FRUIT), TIMEOUT_S):
        ordered[message.key() or b""].append((message.value() or b"").decode())
    for customer, fruit in sorted(ordered.items()):
        print(f"{customer.decode()} ordered {', '.join(fruit)}")
    consumer.commit(asynchronous=False)
    parts = [TopicPartition(TOPIC, partition) for partition in range(PARTITIONS)]
    committed = consumer.committed(parts, TIMEOUT_S)
    print(f"the group has committed {sum(max(part.offset, 0) for part in committed)} offsets")
    consumer.close()


if __name__ == "__main__":
    create_topic()
    produce()
    consume()
