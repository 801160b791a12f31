"""Consumers in sessions get every record that trickles in, each of them once."""

from __future__ import annotations

import asyncio

from bench.versus.asking import Connection
from bench.versus.generators.fetch_sessions import Consumer, Load, Trickle, topic_id
from bench.versus.generators.serving import await_served
from moldau import testing

PARTITIONS, CONSUMERS, RATE = 3, 4, 200.0
SECONDS = 0.1
RECORDS = 5


def test_every_consumer_gets_every_record():
    async def conversation():
        async with testing.Node() as node:
            port = int(node.bootstrap.rpartition(":")[2])
            return await asyncio.to_thread(trickle, port)

    delays_ns, consumers = asyncio.run(conversation())
    assert sum(sum(one.offsets) for one in consumers) == len(delays_ns)
    assert all(one.session_id for one in consumers)


def trickle(port):
    with Connection(port) as connection:
        connection.create_topic("t", PARTITIONS, {})
    await_served(port, {"t": PARTITIONS})
    known_as = topic_id(port, "t")
    consumers = [Consumer(port, known_as, PARTITIONS) for _ in range(CONSUMERS)]
    load = Load(consumers, Trickle(port, "t", PARTITIONS, RATE))
    delays_ns = []
    while min(sum(one.offsets) for one in consumers) < RECORDS:
        delays_ns += load.run(SECONDS)[1]
    load.close()
    return delays_ns, consumers
