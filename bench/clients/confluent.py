"""confluent-kafka, the binding of librdkafka."""

from __future__ import annotations

import asyncio
import time

from confluent_kafka import (
    OFFSET_BEGINNING,
    Consumer,
    KafkaError,
    Message,
    Producer,
    TopicPartition,
)
from confluent_kafka.aio import AIOProducer

from bench.clients.meter import WARM_RECORDS, WARM_SENDS, Load, Meter

ALIKE = {"acks": "all", "enable.idempotence": True}
BATCH = {**ALIKE, "batch.size": 65536, "linger.ms": 5, "queue.buffering.max.messages": 500_000}
UNBATCHED = {**ALIKE, "linger.ms": 0, "socket.nagle.disable": True}
AT_ONCE = 10_000
POLL_EACH = 1_000
PATIENCE_S = 60.0


def consume(load: Load, meter: Meter) -> None:
    consumer = Consumer({"bootstrap.servers": load.server, "group.id": "bench"})
    found = consumer.list_topics(load.topic, PATIENCE_S).topics[load.topic]
    consumer.assign(
        [TopicPartition(load.topic, number, OFFSET_BEGINNING) for number in found.partitions]
    )
    seen = 0
    while seen < WARM_RECORDS:
        seen += len(consumer.consume(WARM_RECORDS, 1.0))
    first, size = seen, 0
    meter.start()
    while seen < load.records:
        messages = consumer.consume(AT_ONCE, 0.2)
        seen += len(messages)
        for message in messages:
            size += len(message.value() or b"")
    meter.stop(seen - first)
    consumer.close()


def produce(load: Load, meter: Meter) -> None:
    producer = Producer({"bootstrap.servers": load.server, **BATCH})
    _produce(producer, load, WARM_RECORDS)
    meter.start()
    _produce(producer, load, load.records)
    meter.stop(load.records)


def _produce(producer: Producer, load: Load, count: int) -> None:
    value, topic = load.value, load.topic
    for number in range(count):
        while True:
            try:
                producer.produce(topic, value)
                break
            except BufferError:
                producer.poll(0.01)
        if number % POLL_EACH == 0:
            producer.poll(0)
    assert not producer.flush(PATIENCE_S)


def send(load: Load, meter: Meter) -> None:
    producer = Producer({"bootstrap.servers": load.server, **UNBATCHED})
    done: list[Message] = []

    def delivered(error: KafkaError | None, message: Message) -> None:
        assert error is None, error
        done.append(message)

    for number in range(WARM_SENDS + load.records):
        if number == WARM_SENDS:
            meter.start()
        began_ns = time.perf_counter_ns()
        producer.produce(load.topic, load.value, on_delivery=delivered)
        while len(done) <= number:
            producer.poll(PATIENCE_S)
        if number >= WARM_SENDS:
            meter.sends_ns.append(time.perf_counter_ns() - began_ns)
    meter.stop(load.records)


def send_on_a_loop(load: Load, meter: Meter) -> None:
    asyncio.run(_send(load, meter))


async def _send(load: Load, meter: Meter) -> None:
    """Its producer for loops keeps records back until a batch is full: one is a batch here.

    It polls for deliveries only when it sends, so it is polled here, as its documents recommend.
    """
    given = {"bootstrap.servers": load.server, **UNBATCHED}
    async with AIOProducer(given, batch_size=1) as producer:
        for number in range(WARM_SENDS + load.records):
            if number == WARM_SENDS:
                meter.start()
            began_ns = time.perf_counter_ns()
            delivered = await producer.produce(load.topic, load.value)
            while not delivered.done():
                await producer.poll(1.0)
            await delivered
            if number >= WARM_SENDS:
                meter.sends_ns.append(time.perf_counter_ns() - began_ns)
        meter.stop(load.records)
