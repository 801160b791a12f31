"""Our own client: objects and Arrow, blocking and on a loop."""

from __future__ import annotations

import asyncio
import time

import pyarrow as pa

from bench.clients.meter import WARM_RECORDS, WARM_SENDS, Load, Meter
from moldau import AsyncConsumer, AsyncProducer, Consumer, Producer

BATCH = {"batch_size": 65536, "linger_ms": 5}
PIECE = 50_000
"""Rows of a table that is sent."""


def consume(load: Load, meter: Meter) -> None:
    with Consumer(load.server, auto_offset_reset="earliest", max_poll_records=10_000) as consumer:
        consumer.assign(load.topic)
        seen = 0
        while seen < WARM_RECORDS:
            seen += len(consumer.poll())
        first, size = seen, 0
        meter.start()
        while seen < load.records:
            records = consumer.poll()
            seen += len(records)
            for record in records:
                size += len(record.value or b"")
        meter.stop(seen - first)


def consume_on_a_loop(load: Load, meter: Meter) -> None:
    asyncio.run(_consume(load, meter))


async def _consume(load: Load, meter: Meter) -> None:
    given = {"auto_offset_reset": "earliest", "max_poll_records": 10_000}
    async with AsyncConsumer(load.server, **given) as consumer:
        await consumer.assign(load.topic)
        seen = 0
        while seen < WARM_RECORDS:
            seen += len(await consumer.poll())
        first, size = seen, 0
        meter.start()
        while seen < load.records:
            records = await consumer.poll()
            seen += len(records)
            for record in records:
                size += len(record.value or b"")
        meter.stop(seen - first)


def consume_arrow(load: Load, meter: Meter) -> None:
    with Consumer(load.server, auto_offset_reset="earliest") as consumer:
        consumer.assign(load.topic)
        seen = first = 0
        for batch in consumer.arrow(timeout=10.0):
            seen += batch.num_rows
            if not first and seen >= WARM_RECORDS:
                first = seen
                meter.start()
            if seen >= load.records:
                break
        meter.stop(seen - first)


def produce(load: Load, meter: Meter) -> None:
    value, topic = load.value, load.topic
    with Producer(load.server, **BATCH) as producer:
        for _ in range(WARM_RECORDS):
            producer.send(topic, value)
        producer.flush()
        meter.start()
        for _ in range(load.records):
            producer.send(topic, value)
        producer.flush()
        meter.stop(load.records)


def produce_on_a_loop(load: Load, meter: Meter) -> None:
    asyncio.run(_produce(load, meter))


async def _produce(load: Load, meter: Meter) -> None:
    value, topic = load.value, load.topic
    async with AsyncProducer(load.server, **BATCH) as producer:
        for _ in range(WARM_RECORDS):
            await producer.send(topic, value)
        await producer.flush()
        meter.start()
        for _ in range(load.records):
            await producer.send(topic, value)
        await producer.flush()
        meter.stop(load.records)


def produce_arrow(load: Load, meter: Meter) -> None:
    table = pa.table({"value": [load.value] * PIECE})
    with Producer(load.server, **BATCH) as producer:
        producer.send_arrow(load.topic, table.slice(0, WARM_RECORDS)).result()
        meter.start()
        sent = 0
        while sent < load.records:
            producer.send_arrow(load.topic, table)
            sent += PIECE
        producer.flush()
        meter.stop(sent)


def send(load: Load, meter: Meter) -> None:
    value, topic = load.value, load.topic
    with Producer(load.server, linger_ms=0) as producer:
        for _ in range(WARM_SENDS):
            producer.send(topic, value).result()
        meter.start()
        for _ in range(load.records):
            began_ns = time.perf_counter_ns()
            producer.send(topic, value).result()
            meter.sends_ns.append(time.perf_counter_ns() - began_ns)
        meter.stop(load.records)


def send_on_a_loop(load: Load, meter: Meter) -> None:
    asyncio.run(_send(load, meter))


async def _send(load: Load, meter: Meter) -> None:
    value, topic = load.value, load.topic
    async with AsyncProducer(load.server, linger_ms=0) as producer:
        for _ in range(WARM_SENDS):
            await producer.send_and_wait(topic, value)
        meter.start()
        for _ in range(load.records):
            began_ns = time.perf_counter_ns()
            await producer.send_and_wait(topic, value)
            meter.sends_ns.append(time.perf_counter_ns() - began_ns)
        meter.stop(load.records)
