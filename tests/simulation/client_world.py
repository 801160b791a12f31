"""Clients of ours in a simulated cluster, and what befalls brokers and the ways to them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from typing import Any

from moldau.client.aio.admin.client import AsyncAdmin
from moldau.client.aio.connection import AsyncConnection
from moldau.client.aio.consumer import AsyncConsumer
from moldau.client.aio.producer import AsyncProducer
from moldau.client.aio.world import ClientWorld
from moldau.client.core.admin.topics import NewTopic
from moldau.client.settings.client import chosen_settings
from moldau.client.topic_partition import TopicPartition
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import SimulatedTasks
from tests.simulation.node_cluster import CLIENTS, Cluster

SETTINGS = {
    "min.insync.replicas": "2",
    "offsets.topic.replication.factor": "3",
    "offsets.topic.num.partitions": "2",
    "transaction.state.log.replication.factor": "3",
    "transaction.state.log.min.isr": "2",
    "transaction.state.log.num.partitions": "2",
    "group.consumer.min.heartbeat.interval.ms": "100",
    "group.consumer.heartbeat.interval.ms": "300",
    "group.consumer.min.session.timeout.ms": "1000",
    "group.consumer.session.timeout.ms": "3000",
    "group.min.session.timeout.ms": "1000",
}
"""What is acknowledged outlives a broker, and members that are gone are missed soon."""
PATIENT = {
    "request.timeout.ms": "1000",
    "delivery.timeout.ms": "600000",
    "default.api.timeout.ms": "600000",
    "max.block.ms": "600000",
}
"""A client that lives longer than any trouble."""
DELAYS_MS = ((0.05, 0.5), (0.05, 30.0))
"""Of the network, quiet and slow."""
OUTAGE_MS = 2_500
PAUSE_MS = 300
RESETS = 5


class Machine:
    """A process with clients in it, on a host of its own."""

    def __init__(self, cluster: Cluster, name: str, seed: int) -> None:
        self.name = name
        self._cluster = cluster
        self._tasks = SimulatedTasks(owns_loop=False)
        network = cluster.around.host(name)
        self._world = ClientWorld(network, cluster.clock, SeededRandom(seed), self._tasks)
        servers = ",".join(f"{one.host}:{CLIENTS}" for one in cluster.machines.values())
        self._given = {"bootstrap.servers": servers, **PATIENT}

    def producer(self, **settings: Any) -> AsyncProducer:
        made = AsyncProducer(self._given, **settings)
        made.begin_in(self._world)
        return made

    def consumer(self, **settings: Any) -> AsyncConsumer:
        given = {name: value for name, value in self._given.items() if name in OF_CONSUMERS}
        made = AsyncConsumer(given, auto_offset_reset="earliest", **settings)
        made.begin_in(self._world)
        return made

    async def configure(self, changes: Any) -> None:
        admin = self._admin()
        (await admin.incremental_alter_configs(changes)).all()
        await admin.close()

    async def create(self, *topics: str, partitions: int) -> None:
        admin = self._admin()
        wanted = [NewTopic(topic, partitions, len(self._cluster.machines)) for topic in topics]
        (await admin.create_topics(wanted)).all()
        await admin.close()

    def _admin(self) -> AsyncAdmin:
        admin = AsyncAdmin(self._given["bootstrap.servers"])
        admin.begin_in(self._world)
        return admin

    @property
    def tasks(self) -> SimulatedTasks:
        """Which end with the process."""
        return self._tasks

    def connection(self) -> AsyncConnection:
        settings = chosen_settings(
            {name: value for name, value in self._given.items() if name in OF_CONSUMERS}, {}
        )
        return AsyncConnection(settings, self._world)

    @asynccontextmanager
    async def admin(self) -> AsyncIterator[AsyncAdmin]:
        admin = self._admin()
        try:
            yield admin
        finally:
            await admin.close()

    async def ends(self, topic: str) -> dict[TopicPartition, int]:
        """Of its partitions, whatever is committed."""
        consumer = self.consumer()
        found = await consumer.end_offsets(topic)
        await consumer.close()
        return found

    async def end(self) -> None:
        """The process ends, wherever its clients are; an error of one of their tasks is raised."""
        self._cluster.around.crash(self.name)
        await self._tasks.close()
        if self._tasks.failure is not None:
            raise self._tasks.failure


OF_CONSUMERS = ("bootstrap.servers", "request.timeout.ms", "default.api.timeout.ms")


class Trouble:
    """Brokers die and come back, ways are cut and healed, connections break, all is slow."""

    def __init__(self, cluster: Cluster, clients: Collection[str], random: SeededRandom) -> None:
        self._cluster = cluster
        self._clients = sorted(clients)
        self._random = random
        self.kinds: tuple[Callable[[], Awaitable[None]], ...]
        self.kinds = self._kill, self._cut, self._reset

    async def make(self, count: int) -> None:
        for _ in range(count):
            await self._sleep(PAUSE_MS)
            await self.kinds[self._random.randrange(0, len(self.kinds))]()

    async def _kill(self) -> None:
        victim = self._one_of(self._cluster.machines.values())
        self._cluster.note(f"kill {victim.host}")
        await victim.kill()
        await self._sleep(OUTAGE_MS)
        await victim.start()
        self._cluster.note(f"started {victim.host}")

    async def _cut(self) -> None:
        client, broker = self._one_of(self._clients), self._one_of(self._cluster.machines.values())
        way = self._one_of(((client, broker.host), (broker.host, client)))
        self._cluster.note(f"cut {way}")
        self._cluster.around.cut(*way)
        await self._sleep(OUTAGE_MS)
        self._cluster.around.heal(*way)

    async def _reset(self) -> None:
        """Under a slow network, where much is under way: requests are lost, or their answers."""
        self._cluster.note("slow")
        self._cluster.around.delay_ms = DELAYS_MS[1]
        for _ in range(RESETS):
            await self._sleep(PAUSE_MS)
            client = self._one_of(self._clients)
            self._cluster.note(f"reset {client}")
            self._cluster.around.crash(client)
        self._cluster.around.delay_ms = DELAYS_MS[0]

    async def _sleep(self, most_ms: int) -> None:
        await self._cluster.tasks.sleep(self._random.randrange(0, most_ms))

    def _one_of(self, choices: Any) -> Any:
        found = list(choices)
        return found[self._random.randrange(0, len(found))]
