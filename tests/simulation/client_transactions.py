"""Workers that read, write and commit in transactions, while they, brokers and connections die.

    result = result_of(seed)

Each record that a worker reads is written to both partitions of another topic, in one transaction
with the offsets of the group. A worker aborts now and then, and its process ends now and then; the
next one begins under the same name.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from moldau.client.aio.consumer import AsyncConsumer
from moldau.client.aio.producer import AsyncProducer
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.errors import ClientError
from moldau.platform.simulated.randomness import SeededRandom
from tests.simulation.client_world import SETTINGS, Machine, Trouble
from tests.simulation.node_cluster import Cluster, with_nodes

GIVEN, MADE = "given", "made"
GROUP = "workers"
PARTITIONS = 2
RECORDS = 60
WORKERS = 2
TROUBLES = 3
LIFE_MS = 4_000
ABORTS = 0.15
PATIENCE_MS = 240_000


class AbortError(Exception):
    """The worker has changed its mind."""


@dataclass
class Result:
    """What readers of what is committed find, by partition."""

    given: dict[int, list[bytes]] = field(default_factory=dict)
    made: dict[int, list[bytes]] = field(default_factory=dict)
    mark: str = ""


def result_of(seed: int) -> Result:
    scenario = Scenario(seed)
    result: Result = with_nodes(seed, scenario.run, settings=SETTINGS)
    return result


class Scenario:
    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._random = SeededRandom(seed + 1)
        self._is_over = False
        self._lives = 0

    async def run(self, cluster: Cluster) -> Result:
        self._cluster = cluster
        looker = Machine(cluster, "looker", self._seed + 2)
        await looker.create(GIVEN, MADE, partitions=PARTITIONS)
        await self._fill(looker)
        names = [f"worker-{number}" for number in range(WORKERS)]
        workers = [cluster.tasks.spawn(name, self._work(name)) for name in names]
        await Trouble(cluster, names, SeededRandom(self._seed + 3)).make(TROUBLES)
        await self._until_done(looker)
        self._is_over = True
        for worker in workers:
            await worker
        result = Result(
            await self._read(looker, GIVEN), await self._read(looker, MADE), cluster.hash
        )
        await looker.end()
        return result

    async def _fill(self, looker: Machine) -> None:
        producer = looker.producer(batch_size=self._random.randrange(1, 300))
        for number in range(RECORDS):
            await producer.send(GIVEN, b"%d" % number, partition=number % PARTITIONS)
        await producer.close()

    async def _work(self, name: str) -> None:
        """One life after the other, under one name."""
        while not self._is_over:
            self._lives += 1
            machine = Machine(self._cluster, name, self._seed + 100 + self._lives)
            self._cluster.note(f"{name} begins")
            life = self._cluster.tasks.spawn(f"life of {name}", self._live(machine, name))
            end_ms = self._cluster.now_ms + self._random.randrange(1, LIFE_MS)
            while not life.done() and (self._is_over or self._cluster.now_ms < end_ms):
                await self._cluster.tasks.sleep(20)
            if not life.done():
                self._cluster.note(f"{name} dies")
                life.cancel()
            await machine.end()

    async def _live(self, machine: Machine, name: str) -> None:
        """Until it is over, or an error that a program answers by beginning anew."""
        consumer = machine.consumer(
            group_id=GROUP,
            group_protocol="consumer",
            enable_auto_commit=False,
            isolation_level="read_committed",
            max_poll_records=self._random.randrange(1, 8),
        )
        producer = machine.producer(transactional_id=name, transaction_timeout_ms=10_000)
        await consumer.subscribe(GIVEN)
        try:
            while not self._is_over:
                records = await consumer.poll(0.1)
                if records:
                    await self._process(consumer, producer, records)
        except ClientError as error:
            self._cluster.note(f"{name} gives up: {error}")
            return
        await consumer.close()
        await producer.close()

    async def _process(
        self, consumer: AsyncConsumer, producer: AsyncProducer, records: list[ConsumerRecord]
    ) -> None:
        part, first = (GIVEN, records[0].partition), records[0].offset
        try:
            async with producer.transaction():
                for record in records:
                    for partition in range(PARTITIONS):
                        await producer.send(MADE, record.value, partition=partition)
                if self._random.random() < ABORTS:
                    raise AbortError
                await producer.send_offsets({part: records[-1].offset + 1}, consumer)
        except AbortError:
            consumer.seek(part, first)

    async def _until_done(self, looker: Machine) -> None:
        consumer = looker.consumer(group_id=GROUP, enable_auto_commit=False)
        deadline_ms = self._cluster.now_ms + PATIENCE_MS
        ends = await consumer.end_offsets(GIVEN)
        while await consumer.committed(GIVEN) != ends:
            assert self._cluster.now_ms < deadline_ms, f"they stand still: {self._cluster.events}"
            await self._cluster.tasks.sleep(100)
        await consumer.close()

    async def _read(self, looker: Machine, topic: str) -> dict[int, list[bytes]]:
        """Up to the end of what is there, whether it is committed or not."""
        consumer = looker.consumer(isolation_level="read_committed")
        ends = await looker.ends(topic)
        await consumer.assign(topic)
        rows: dict[int, list[bytes]] = {partition: [] for partition in range(PARTITIONS)}
        while [await consumer.position(part) for part in ends] != list(ends.values()):
            for record in await consumer.poll(0.5):
                rows[record.partition].append(record.value)
        await consumer.close()
        return rows
