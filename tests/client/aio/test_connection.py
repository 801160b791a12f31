"""The client on a loop, with a whole node of ours in a simulated world."""

from __future__ import annotations

from random import Random

import pytest

from moldau.client.aio.connection import AsyncConnection, AsyncReading
from moldau.client.aio.world import ClientWorld
from moldau.client.core.fetching.reading import Reading
from moldau.client.core.offset_lookups import Isolation
from moldau.client.errors import LogTruncatedError
from moldau.client.settings.client import ClientSettings
from moldau.client.topic_partition import TopicPartition
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.tasks import run
from moldau.protocol.records.batch import iterate_batches, read_header
from moldau.protocol.records.record import iterate_records
from tests.client.batches import data_batch
from tests.client.broker_work import BrokerWork
from tests.simulation.whole_node import NodeMachine

SERVER = "broker:9092"
PART = TopicPartition("t", 0)


class NodeAndClients:
    """A node, a client that appends, and one that reads."""

    def __init__(self, tasks, clock: SimulatedClock, seed: int = 5) -> None:
        self.tasks = tasks
        random = Random(seed)
        around = SimulatedWorld(tasks, random)
        self.node = NodeMachine(clock, around, random)
        self.world = ClientWorld(around.host("reader"), clock, random, tasks)
        self.work = BrokerWork(ClientWorld(around.host("writer"), clock, random, tasks), SERVER)
        self.reader = AsyncConnection(ClientSettings.of({"bootstrap.servers": SERVER}), self.world)

    async def begin(self, batches: int = 20) -> None:
        await self.node.start()
        await self.work.create_topic("t")
        for start in range(0, batches * 5, 5):
            await self.work.append(PART, data_batch(start, 5))

    def read(self, start: int, end: int):
        return self.reader.read(PART, start, end, Isolation.READ_UNCOMMITTED, 1)


def with_node(main, seed: int = 5):
    clock = SimulatedClock()

    async def whole(tasks):
        setup = NodeAndClients(tasks, clock, seed)
        try:
            return await main(setup)
        finally:
            setup.reader.close()
            setup.work.close()
            await setup.node.stop()

    return run(whole, clock)


def records_of(chunk):
    return [record for batch in iterate_batches(chunk.records) for record in iterate_records(batch)]


def keys(chunk) -> list[bytes | None]:
    return [record.key for record in records_of(chunk)]


async def all_keys(reading) -> list[bytes | None]:
    return [key async for chunk in reading for key in keys(chunk)]


def expected(end: int, start: int = 0) -> list[bytes]:
    return [b"k%d" % offset for offset in range(start, end)]


def test_what_was_appended_is_read():
    async def main(setup: NodeAndClients):
        await setup.begin()
        return await all_keys(setup.read(0, 100))

    assert with_node(main) == expected(100)


def test_a_broker_that_is_killed_and_comes_back_costs_time_and_no_record():
    async def main(setup: NodeAndClients):
        await setup.begin()
        reading = setup.read(0, 100)
        found = keys(await reading.take())

        async def die_and_come_back() -> None:
            await setup.node.kill()
            await setup.tasks.sleep(3000)
            await setup.node.start()

        dying = setup.tasks.spawn("dying", die_and_come_back())
        found += await all_keys(reading)
        await dying
        return found

    for seed in range(3):
        assert with_node(main, seed) == expected(100)


def test_records_that_come_while_it_waits_are_read():
    async def main(setup: NodeAndClients):
        await setup.begin(batches=1)
        reading = setup.read(0, 10)
        first = keys(await reading.take())
        setup.tasks.spawn("late", later(setup))
        return first + await all_keys(reading)

    async def later(setup: NodeAndClients) -> None:
        await setup.tasks.sleep(20_000)
        await setup.work.append(PART, data_batch(5, 5))

    assert with_node(main) == expected(10)


def test_holes_that_compaction_left_are_stepped_over():
    async def main(setup: NodeAndClients):
        await setup.node.start()
        await setup.work.create_topic(
            "t",
            cleanup_policy="compact",
            segment_ms="1",
            message_timestamp_type="LogAppendTime",
            min_cleanable_dirty_ratio="0.0",
        )
        for _ in range(20):
            await setup.work.append(PART, data_batch(0, 5))
            await setup.tasks.sleep(10)
        await setup.tasks.sleep(120_000)
        reading = setup.read(0, 100)
        return [record.offset async for chunk in reading for record in records_of(chunk)]

    found = with_node(main)
    assert found == sorted(set(found))
    assert len(found) < 50
    assert found[-5:] == list(range(95, 100))


def test_a_log_that_parts_from_what_was_read_is_noticed():
    async def main(setup: NodeAndClients):
        await setup.begin(batches=1)
        await setup.node.kill()
        await setup.tasks.sleep(1000)
        await setup.node.start()  # another election: what is appended now has a later epoch
        await setup.work.append(PART, data_batch(5, 5))
        chunk = await setup.read(5, 10).take()
        leader_epoch = read_header(chunk.records).leader_epoch
        assert leader_epoch >= 2, "there has to be an epoch between the two"
        return await chunk_after(setup, 8, leader_epoch - 1)

    async def chunk_after(setup: NodeAndClients, position: int, epoch: int):
        """As a reader reads on whose last record came from a leader without followers."""
        reading = Reading(PART, position, 10, 1000)
        reading.last_epoch = epoch
        fetching = setup.reader._fetchings[Isolation.READ_UNCOMMITTED]
        with pytest.raises(LogTruncatedError) as caught:
            await AsyncReading(fetching, reading).take()
        return caught.value.offset, caught.value.end_offset

    assert with_node(main) == (8, 5)


def test_a_connection_can_be_held_by_a_block():
    async def main(setup: NodeAndClients):
        await setup.begin(batches=1)
        async with setup.reader as reader:
            return await reader.topics(), await reader.latest([PART]), await reader.partitions([])

    assert with_node(main) == ({"t": [0]}, {PART: 5}, {})


def test_a_reading_without_records_is_over_at_once():
    async def main(setup: NodeAndClients):
        await setup.begin(batches=1)
        reading = setup.read(3, 3)
        taken = await reading.take()
        reading.close()
        return taken

    assert with_node(main) is None
