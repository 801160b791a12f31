"""kafka-python, in pure Python."""

from __future__ import annotations

import time

from kafka import KafkaConsumer, KafkaProducer, TopicPartition

from bench.clients.meter import WARM_RECORDS, WARM_SENDS, Load, Meter

AT_ONCE = 10_000


def consume(load: Load, meter: Meter) -> None:
    consumer = KafkaConsumer(bootstrap_servers=load.server)
    parts = [TopicPartition(load.topic, number) for number in _partitions(consumer, load.topic)]
    consumer.assign(parts)
    consumer.seek_to_beginning(*parts)
    seen = 0
    while seen < WARM_RECORDS:
        seen += _some(consumer)
    first = seen
    meter.start()
    while seen < load.records:
        seen += _some(consumer)
    meter.stop(seen - first)
    consumer.close()


def _partitions(consumer: KafkaConsumer, topic: str) -> list[int]:
    while not (found := consumer.partitions_for_topic(topic)):
        time.sleep(0.1)
    return sorted(found)


def _some(consumer: KafkaConsumer) -> int:
    found = consumer.poll(1000, max_records=AT_ONCE)
    size = 0
    for records in found.values():
        for record in records:
            size += len(record.value)
    return sum(map(len, found.values()))


def produce(load: Load, meter: Meter) -> None:
    producer = KafkaProducer(
        bootstrap_servers=load.server, acks="all", batch_size=65536, linger_ms=5
    )
    for _ in range(WARM_RECORDS):
        producer.send(load.topic, load.value)
    producer.flush()
    value, topic = load.value, load.topic
    meter.start()
    for _ in range(load.records):
        producer.send(topic, value)
    producer.flush()
    meter.stop(load.records)
    producer.close()


def send(load: Load, meter: Meter) -> None:
    producer = KafkaProducer(bootstrap_servers=load.server, acks="all", linger_ms=0)
    for _ in range(WARM_SENDS):
        producer.send(load.topic, load.value).get(60)
    meter.start()
    for _ in range(load.records):
        began_ns = time.perf_counter_ns()
        producer.send(load.topic, load.value).get(60)
        meter.sends_ns.append(time.perf_counter_ns() - began_ns)
    meter.stop(load.records)
    producer.close()
