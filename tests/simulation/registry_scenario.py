"""Registries of one topic that all take writes, while its leader moves, dies and is cut off.

    result = result_of(seed)

Each registry is a process of its own, which ends now and then; the next one begins under the same
name. Each registers schemas, one under each subject, as fast as it is answered.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from moldau.client import AsyncAdmin, AsyncProducer, TopicPartition
from moldau.client.aio import AsyncConnection
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.errors import ClientError
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.http.messages import HttpError
from moldau.programs.registry.clients import StoreClients
from moldau.programs.registry.parsing import Parser
from moldau.programs.registry.records import SCHEMA, read_json
from moldau.programs.registry.registering import Registrar, Registration
from moldau.programs.registry.state import RegistryState
from moldau.programs.registry.store import RegistryStore, StoreSettings
from moldau.schemas.levels import Level
from moldau.schemas.model import SchemaText
from tests.simulation.client_world import OUTAGE_MS, SETTINGS, Machine, Trouble
from tests.simulation.node_cluster import Cluster, with_nodes

TOPIC = "_schemas"
REGISTRIES = 3
TROUBLES = 5
LIFE_MS = 6_000
REST_MS = 150
"""Between two schemas of one registry, at most."""
TRANSACTION_MS = 5_000
"""How long a transaction of a registry that died keeps readers waiting."""
PATIENCE_MS = 240_000


@dataclass
class Result:
    """What was answered, and what stands in the topic."""

    answered: dict[str, int] = field(default_factory=dict)
    """Ids, by subject; each subject has a text of its own."""
    written: list[tuple[int, str]] = field(default_factory=list)
    """Ids with the subjects that they were committed for, in the order of the topic."""
    lives: int = 0
    leaders: set[int] = field(default_factory=set)
    """Who has led the topic when trouble was made."""
    mark: str = ""


@cache
def result_of(seed: int) -> Result:
    scenario = Scenario(seed)
    result: Result = with_nodes(seed, scenario.run, settings=SETTINGS)
    return result


class _Clients(StoreClients):
    """On a simulated machine."""

    def __init__(self, machine: Machine) -> None:
        super().__init__({})
        self._machine = machine

    def admin(self) -> AbstractAsyncContextManager[AsyncAdmin]:
        return self._machine.admin()

    def connection(self) -> AsyncConnection:
        return self._machine.connection()

    def plain_producer(self) -> AsyncProducer:
        return self._machine.producer()

    def producer(self, transactional_id: str) -> AsyncProducer:
        return self._machine.producer(
            transactional_id=transactional_id, transaction_timeout_ms=TRANSACTION_MS
        )


class _Noted(RegistryStore):
    """Keeps every schema that it reads."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.written: list[tuple[int, str]] = []

    def _apply(self, record: ConsumerRecord) -> None:
        key, value = read_json(record.key), read_json(record.value)
        if key is not None and key["keytype"] == SCHEMA and value is not None:
            self.written.append((value["id"], value["subject"]))
        super()._apply(record)


class LeaderTrouble(Trouble):
    """What befalls the leader of the topic."""

    def __init__(
        self,
        cluster: Cluster,
        clients: list[str],
        random: SeededRandom,
        looker: Machine,
        result: Result,
    ) -> None:
        super().__init__(cluster, clients, random)
        self._looker = looker
        self._result = result
        self._of_leaders = (self._kill, self._cut_off, self._move)
        self.kinds = (*self._of_leaders, self._cut, self._reset)

    async def make(self, count: int) -> None:
        """Each that befalls a leader at least once."""
        first = self._random.randrange(0, len(self._of_leaders))
        for kind in (*self._of_leaders[first:], *self._of_leaders[:first]):
            await self._sleep(REST_MS)
            await kind()
        await super().make(count - len(self._of_leaders))

    def _leader(self) -> int:
        image = max(
            (node.broker.metadata.image for node in self._cluster.nodes),
            key=lambda image: int(image.offset),
        )
        found = image.topics.partition(TOPIC, 0)
        assert found is not None
        leader: int = found.leader if found.leader > 0 else found.replicas[0]
        self._result.leaders.add(leader)
        return leader

    async def _kill(self) -> None:
        victim = self._cluster.machines[self._leader()]
        self._cluster.note(f"kill {victim.host}, which leads")
        await victim.kill()
        await self._sleep(OUTAGE_MS)
        await victim.start()
        self._cluster.note(f"started {victim.host}")

    async def _cut_off(self) -> None:
        """From the other brokers, or from the registries, too."""
        leader = self._cluster.machines[self._leader()].host
        others = [one.host for one in self._cluster.machines.values() if one.host != leader]
        if self._random.randrange(0, 2):
            others += self._clients
        self._cluster.note(f"cut {leader}, which leads, off {others}")
        ways = [way for other in others for way in ((leader, other), (other, leader))]
        for way in ways:
            self._cluster.around.cut(*way)
        await self._sleep(4 * OUTAGE_MS)
        for way in ways:
            self._cluster.around.heal(*way)

    async def _move(self) -> None:
        """To the next of its replicas, while all of them serve."""
        before = self._leader()
        ids = sorted(self._cluster.machines)
        turn = ids.index(before) + 1
        part = TopicPartition(TOPIC, 0)
        async with self._looker.admin() as admin:
            try:
                await admin.alter_partition_reassignments({part: [*ids[turn:], *ids[:turn]]})
                await admin.elect_leaders([part])
            except ClientError as error:
                self._cluster.note(f"not moved: {error}")
        self._cluster.note(f"moved from {before} to {self._leader()}")


class Scenario:
    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._random = SeededRandom(seed + 1)
        self._result = Result()
        self._is_over = False

    async def run(self, cluster: Cluster) -> Result:
        self._cluster = cluster
        looker = Machine(cluster, "looker", self._seed + 2)
        await looker.create(TOPIC, partitions=1)
        names = [f"registry-{number}" for number in range(REGISTRIES)]
        serving = [cluster.tasks.spawn(name, self._serve(name)) for name in names]
        random = SeededRandom(self._seed + 3)
        await LeaderTrouble(cluster, names, random, looker, self._result).make(TROUBLES)
        await self._until_answered()
        self._is_over = True
        for one in serving:
            await one
        store = self._store(looker, SeededRandom(self._seed + 4))
        await store.start()
        self._result.written = store.written
        await store.close()
        await looker.end()
        self._result.mark = cluster.hash
        return self._result

    def _store(self, machine: Machine, random: SeededRandom) -> _Noted:
        settings = StoreSettings(client={}, topic=TOPIC)
        return _Noted(settings, RegistryState(), machine.tasks, random, _Clients(machine))

    async def _serve(self, name: str) -> None:
        """One life after the other, under one name."""
        while not self._is_over:
            self._result.lives += 1
            life = self._result.lives
            machine = Machine(self._cluster, name, self._seed + 100 + life)
            self._cluster.note(f"{name} begins")
            work = self._register(machine, name, life)
            task = self._cluster.tasks.spawn(f"life of {name}", work)
            end_ms = self._cluster.now_ms + self._random.randrange(1, LIFE_MS)
            while not task.done() and (self._is_over or self._cluster.now_ms < end_ms):
                await self._cluster.tasks.sleep(20)
            if not task.done():
                self._cluster.note(f"{name} dies")
                task.cancel()
            await machine.end()

    async def _register(self, machine: Machine, name: str, life: int) -> None:
        random = SeededRandom(self._seed + 200 + life)
        store = self._store(machine, random)
        await store.start()
        registrar = Registrar(store.state, Parser(), Level.NONE)
        number = 0
        while not self._is_over:
            number += 1
            subject = f"{name}-{life}-{number}"
            text = f'{{"type":"fixed","name":"F{life}x{number}","size":1}}'
            asked = Registration(subject, SchemaText(text))
            try:
                answer = await store.write(lambda _, asked=asked: registrar.register(asked))  # type: ignore[misc]
            except (ClientError, HttpError) as error:
                self._cluster.note(f"{subject} is refused: {error}")
                continue
            self._result.answered[subject] = answer.id
            self._cluster.note(f"{subject} is {answer.id}")
            await self._cluster.tasks.sleep(random.randrange(1, REST_MS))
        await store.close()

    async def _until_answered(self) -> None:
        """When all is quiet again, writes are."""
        before, deadline_ms = len(self._result.answered), self._cluster.now_ms + PATIENCE_MS
        while len(self._result.answered) == before:
            assert self._cluster.now_ms < deadline_ms, f"they stand still: {self._seed}"
            await self._cluster.tasks.sleep(100)
