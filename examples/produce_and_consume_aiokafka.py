"""The same with aiokafka, on the loop of asyncio: producer and consumer run side by side.

    moldau start
    python examples/produce_and_consume_aiokafka.py localhost:9092

prints

    read apple
    read banana
    read cherry
"""

from __future__ import annotations

import asyncio
import sys

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

BOOTSTRAP = sys.argv[1] if len(sys.argv) > 1 else "localhost:9092"
TOPIC = "orders-aiokafka"
FRUIT = ["apple", "banana", "cherry"]
TIMEOUT_S = 30


async def produce() -> None:
    async with AIOKafkaProducer(bootstrap_servers=BOOTSTRAP) as producer:
        for fruit in FRUIT:
            await producer.send_and_wait(TOPIC, fruit.encode())


async def consume() -> None:
    async with AIOKafkaConsumer(
        TOPIC,
        bootstrap_servers=BOOTSTRAP,
        group_id="readers-aiokafka",
        auto_offset_reset="earliest",
    ) as consumer:
        for _ in FRUIT:
            record = await consumer.getone()
            print("read", record.value.decode())


async def main() -> None:
    await asyncio.wait_for(asyncio.gather(produce(), consume()), TIMEOUT_S)


if __name__ == "__main__":
    asyncio.run(main())
