"""The reading client in a simulated world full of trouble: every record, in order, once."""

from __future__ import annotations

import pytest

from moldau.client.aio.connection import AsyncConnection, AsyncReading
from moldau.client.aio.world import ClientWorld
from moldau.client.core.offset_lookups import Isolation
from moldau.client.settings.client import ClientSettings
from moldau.client.topic_partition import TopicPartition
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import SimulatedTasks, run
from moldau.protocol.records.batch import iterate_batches
from moldau.protocol.records.record import iterate_records
from tests.client.batches import data_batch
from tests.client.broker_work import BrokerWork
from tests.simulation.whole_node import HOST, NodeMachine

pytestmark = pytest.mark.simulation

SERVER = f"{HOST}:9092"
READER = "reader"
PARTITIONS = 3
BATCHES = 30
SCENARIOS = 4
SCENARIOS_LONG = 120
TROUBLES = 6
LIFE_MS = 1500
Row = tuple[int, bytes | None]


class Scenario:
    """Readers of all partitions, while their broker is killed and their ways to it are cut."""

    def __init__(self, seed: int, clock: SimulatedClock, tasks: SimulatedTasks) -> None:
        self._random = SeededRandom(seed)
        self._tasks = tasks
        self._around = SimulatedWorld(tasks, SeededRandom(seed + 1))
        self._machine = NodeMachine(clock, self._around, SeededRandom(seed + 2))
        worlds = [
            ClientWorld(self._around.host(name), clock, SeededRandom(seed + 3), tasks)
            for name in ("writer", READER)
        ]
        self._work = BrokerWork(worlds[0], SERVER)
        settings = {
            "bootstrap.servers": SERVER,
            "request.timeout.ms": "2000",
            "default.api.timeout.ms": "600000",
        }
        self._reader = AsyncConnection(ClientSettings.of(settings), worlds[1])
        self.ends: dict[TopicPartition, int] = {}
        self.read: dict[TopicPartition, list[Row]] = {}
        self.took_ns = 0
        self._clock = clock

    async def run(self) -> None:
        await self._machine.start()
        await self._work.create_topic("t", PARTITIONS)
        for partition in range(PARTITIONS):
            await self._fill(TopicPartition("t", partition))
        tasks = [self._tasks.spawn(f"read-{part}", self._follow(part)) for part in self.ends]
        for _ in range(TROUBLES):
            await self._tasks.sleep(self._random.randrange(0, LIFE_MS // 10))
            await self._trouble()
        for task in tasks:
            await task
        self.took_ns = self._clock.monotonic_ns()
        self._reader.close()
        self._work.close()
        await self._machine.stop()

    async def _fill(self, part: TopicPartition) -> None:
        end = 0
        for _ in range(BATCHES):
            count = self._random.randrange(1, 20)
            await self._work.append(part, data_batch(end, count))
            end += count
        self.ends[part] = end

    async def _follow(self, part: TopicPartition) -> None:
        """In several readings; each begins where the one before was broken off."""
        rows = self.read[part] = []
        while len(rows) < self.ends[part]:
            max_bytes = self._random.randrange(1, 1500)
            start, end = len(rows), self.ends[part]
            reading = self._reader.read(part, start, end, Isolation.READ_UNCOMMITTED, max_bytes)
            await self._take_some(reading, rows)
            reading.close()

    async def _take_some(self, reading: AsyncReading, rows: list[Row]) -> None:
        for _ in range(self._random.randrange(1, 20)):
            chunk = await reading.take()
            if chunk is None:
                return
            rows += [
                (record.offset, record.key)
                for batch in iterate_batches(chunk.records)
                for record in iterate_records(batch)
                if chunk.start <= record.offset < chunk.end
            ]
            await self._tasks.sleep(self._random.randrange(0, 100))

    async def _trouble(self) -> None:
        if self._random.random() < 0.5:
            await self._machine.kill()
            await self._tasks.sleep(self._random.randrange(0, LIFE_MS))
            await self._machine.start()
            return
        ways = ((READER, HOST), (HOST, READER))
        way = ways[self._random.randrange(0, 2)]
        self._around.cut(*way)
        await self._tasks.sleep(self._random.randrange(0, 3 * LIFE_MS))
        self._around.heal(*way)


def finished(seed: int) -> Scenario:
    clock = SimulatedClock()
    scenarios: list[Scenario] = []

    async def main(tasks: SimulatedTasks) -> None:
        scenarios.append(Scenario(seed, clock, tasks))
        await scenarios[0].run()

    run(main, clock)
    return scenarios[0]


def test_readers_get_every_record_once_whatever_befalls_broker_and_network(seed, volume):
    for number in range(volume(SCENARIOS, SCENARIOS_LONG)):
        scenario = finished(seed + 1000 * number)
        for part, end in scenario.ends.items():
            wanted = [(offset, b"k%d" % offset) for offset in range(end)]
            assert scenario.read[part] == wanted, f"seed {seed + 1000 * number}, {part}"


def test_the_same_seed_gives_the_same_events(seed):
    assert finished(seed).took_ns == finished(seed).took_ns
