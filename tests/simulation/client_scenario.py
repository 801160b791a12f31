"""Idempotent producers and the members of a group, while brokers die and connections break.

    result = result_of(seed)

What is looked at in the end: `sent` in the order of each producer, with the offsets that it was
answered; `log`, what a last reader finds; `read`, what each member was given, from one assignment
of a partition to the next.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from typing import Any

from moldau.client.aio.consumer import AsyncConsumer
from moldau.client.aio.producer import AsyncDelivery
from moldau.client.arguments.listening import RebalanceListener
from moldau.client.errors import TimedOutError
from moldau.client.topic_partition import TopicPartition
from moldau.platform.simulated.randomness import SeededRandom
from tests.present import present
from tests.simulation.client_world import SETTINGS, Machine, Trouble
from tests.simulation.node_cluster import Cluster, with_nodes

TOPIC = "orders"
GROUP = "billing"
PARTITIONS = 3
PRODUCERS = 2
MEMBERS = 2
REST_MS = 200
TROUBLES = 4
PATIENCE_MS = 240_000
BEATS = {"heartbeat_interval_ms": 1000}
PROTOCOLS: tuple[dict[str, Any], ...] = (
    {"group_protocol": "consumer"},
    {"partition_assignment_strategy": "range", "session_timeout_ms": 3000, **BEATS},
    {"partition_assignment_strategy": "cooperative-sticky", "session_timeout_ms": 3000, **BEATS},
)

Row = tuple[int, bytes]


@dataclass
class Result:
    """What all of them saw."""

    sent: dict[tuple[int, int], list[Row]] = field(default_factory=dict)
    """By producer and partition."""
    failed: set[bytes] = field(default_factory=set)
    """Given up by producers that were in a hurry: there once, or not at all."""
    log: dict[int, list[Row]] = field(default_factory=dict)
    read: list[tuple[int, list[Row]]] = field(default_factory=list)
    """Each with the partition that a member had for a while."""
    mark: str = ""
    events: list[str] = field(default_factory=list)


@cache
def result_of(seed: int) -> Result:
    scenario = Scenario(seed)
    result: Result = with_nodes(seed, scenario.run, settings=SETTINGS)
    return result


class Scenario:
    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._random = SeededRandom(seed + 1)
        self._result = Result()
        self._is_quiet = self._is_over = False

    async def run(self, cluster: Cluster) -> Result:
        self._cluster = cluster
        looker = Machine(cluster, "looker", self._seed + 2)
        await looker.create(TOPIC, partitions=PARTITIONS)
        producers = {f"writer-{number}": self._produce(number) for number in range(PRODUCERS)}
        protocol = PROTOCOLS[self._random.randrange(0, len(PROTOCOLS))]
        members = {f"reader-{number}": self._follow(number, protocol) for number in range(MEMBERS)}
        tasks = [cluster.tasks.spawn(name, work) for name, work in (producers | members).items()]
        trouble = Trouble(cluster, [*producers, *members], SeededRandom(self._seed + 3))
        await trouble.make(TROUBLES)
        self._is_quiet = True
        for task in tasks[:PRODUCERS]:
            await task
        await self._read_all(looker)
        await self._until_committed(looker)
        self._is_over = True
        for task in tasks[PRODUCERS:]:
            await task
        await looker.end()
        self._result.mark, self._result.events = cluster.hash, cluster.events
        return self._result

    async def _produce(self, number: int) -> None:
        machine = Machine(self._cluster, f"writer-{number}", self._seed + 10 + number)
        draw = self._random.randrange
        hurry = {"delivery_timeout_ms": draw(1100, 3000)} if draw(0, 2) else {}
        producer = machine.producer(
            **hurry,
            linger_ms=draw(0, 10),
            batch_size=draw(1, 1000),
            max_in_flight_requests_per_connection=draw(1, 6),
        )
        sent: list[tuple[AsyncDelivery, bytes]] = []
        for index in count():
            if self._is_quiet:
                break
            value = b"%d-%d" % (number, index)
            sent.append((await producer.send(TOPIC, value, partition=draw(0, PARTITIONS)), value))
            if not draw(0, 3):
                await self._cluster.tasks.sleep(draw(0, REST_MS))
        for delivery, value in sent:
            try:
                where = await delivery
            except TimedOutError:
                self._result.failed.add(value)
                continue
            rows = self._result.sent.setdefault((number, where.partition), [])
            rows.append((where.offset, value))
            self._cluster.note(f"sent {value!r} {where.partition} {where.offset}")
        await producer.close()
        await machine.end()

    async def _follow(self, number: int, protocol: dict[str, Any]) -> None:
        machine = Machine(self._cluster, f"reader-{number}", self._seed + 20 + number)
        consumer = machine.consumer(
            group_id=GROUP,
            auto_commit_interval_ms=100,
            max_poll_records=self._random.randrange(1, 50),
            **protocol,
        )
        listener = Turns(self._result)
        await consumer.subscribe(TOPIC, listener=listener)
        while not self._is_over:
            for record in await consumer.poll(0.2):
                part = TopicPartition(record.topic, record.partition)
                listener.turns[part].append((record.offset, record.value))
                self._cluster.note(f"reader-{number} read {part} {record.offset}")
        await consumer.close()
        await machine.end()

    async def _read_all(self, looker: Machine) -> None:
        consumer = looker.consumer()
        await consumer.assign(TOPIC)
        ends = await consumer.end_offsets(TOPIC)
        rows = self._result.log = {partition: [] for partition in range(PARTITIONS)}
        while [await consumer.position(part) for part in ends] != list(ends.values()):
            for record in await consumer.poll():
                rows[record.partition].append((record.offset, record.value))
        await consumer.close()

    async def _until_committed(self, looker: Machine) -> None:
        consumer = looker.consumer(group_id=GROUP, enable_auto_commit=False)
        deadline_ms = self._cluster.now_ms + PATIENCE_MS
        while not await self._is_committed(consumer):
            assert self._cluster.now_ms < deadline_ms, f"the group stands still: {self._seed}"
            await self._cluster.tasks.sleep(100)
        await consumer.close()

    async def _is_committed(self, consumer: AsyncConsumer) -> bool:
        ends = await consumer.end_offsets(TOPIC)
        committed = await consumer.committed(TOPIC)
        return all((committed[part] or 0) == end for part, end in present(ends.items()))


class Turns(RebalanceListener):
    """The records of each partition, from one assignment of it to the next."""

    def __init__(self, result: Result) -> None:
        self._result = result
        self.turns: dict[TopicPartition, list[Row]] = {}

    def on_assigned(self, parts: Collection[TopicPartition]) -> None:
        for part in parts:
            rows = self.turns[part] = []
            self._result.read.append((part.partition, rows))
