"""aiokafka, on a loop."""

from __future__ import annotations

import asyncio
import time

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from bench.clients.meter import WARM_RECORDS, WARM_SENDS, Load, Meter

AT_ONCE = 10_000


def consume(load: Load, meter: Meter) -> None:
    asyncio.run(_consume(load, meter))


async def _consume(load: Load, meter: Meter) -> None:
    async with AIOKafkaConsumer(bootstrap_servers=load.server) as consumer:
        await consumer._client.force_metadata_update()
        numbers = consumer.partitions_for_topic(load.topic)
        if not numbers:
            await consumer._client.set_topics([load.topic])
            numbers = consumer.partitions_for_topic(load.topic)
        parts = [TopicPartition(load.topic, number) for number in numbers]
        consumer.assign(parts)
        await consumer.seek_to_beginning(*parts)
        seen = 0
        while seen < WARM_RECORDS:
            seen += await _some(consumer)
        first = seen
        meter.start()
        while seen < load.records:
            seen += await _some(consumer)
        meter.stop(seen - first)


async def _some(consumer: AIOKafkaConsumer) -> int:
    found = await consumer.getmany(timeout_ms=1000, max_records=AT_ONCE)
    size = 0
    for records in found.values():
        for record in records:
            size += len(record.value)
    return sum(map(len, found.values()))


def produce(load: Load, meter: Meter) -> None:
    asyncio.run(_produce(load, meter))


async def _produce(load: Load, meter: Meter) -> None:
    given = {"acks": "all", "max_batch_size": 65536, "linger_ms": 5, "enable_idempotence": True}
    async with AIOKafkaProducer(bootstrap_servers=load.server, **given) as producer:
        for _ in range(WARM_RECORDS):
            await producer.send(load.topic, load.value)
        await producer.flush()
        value, topic = load.value, load.topic
        meter.start()
        for _ in range(load.records):
            await producer.send(topic, value)
        await producer.flush()
        meter.stop(load.records)


def send(load: Load, meter: Meter) -> None:
    asyncio.run(_send(load, meter))


async def _send(load: Load, meter: Meter) -> None:
    given = {"acks": "all", "enable_idempotence": True}
    async with AIOKafkaProducer(bootstrap_servers=load.server, **given) as producer:
        for _ in range(WARM_SENDS):
            await producer.send_and_wait(load.topic, load.value)
        meter.start()
        for _ in range(load.records):
            began_ns = time.perf_counter_ns()
            await producer.send_and_wait(load.topic, load.value)
            meter.sends_ns.append(time.perf_counter_ns() - began_ns)
        meter.stop(load.records)
