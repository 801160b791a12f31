"""Checkpoints hold one number of each partition of their directory, and are not written in vain."""

from __future__ import annotations

from typing import Any

from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.replica.checkpoints import HIGH_WATERMARKS, Checkpoints, log_start_offset
from moldau.platform.simulated.disk_faults import Fault
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import Broker, with_partition


def with_two_disks(scenario):
    broker = Broker(directory_count=2)

    async def act(manager, tasks):
        for name in ("first", "second"):
            broker.add_topic(manager, name)
            await manager.settled()
            manager.leader(name, 0).append(batch())
        checkpoints = Checkpoints(tasks, lambda: manager)
        return await scenario(broker, manager, checkpoints, list(manager.directories))

    return broker.run(act)


def test_each_directory_gets_the_numbers_of_its_own_partitions():
    async def scenario(broker, manager, checkpoints, directories):
        await checkpoints.write(directories, HIGH_WATERMARKS)
        return [directory.high_watermarks.read() for directory in directories]

    assert with_two_disks(scenario) == [
        {TopicPartition("first", 0): 1},
        {TopicPartition("second", 0): 1},
    ]


def test_the_same_numbers_are_not_written_again():
    async def scenario(broker, manager, checkpoints, directories):
        await checkpoints.write(directories, HIGH_WATERMARKS)
        broker.files.remove(directories[0].high_watermarks.path)
        await checkpoints.write(directories, HIGH_WATERMARKS)
        return directories[0].high_watermarks.read()

    assert with_two_disks(scenario) == {}


class Offloading:
    """Tasks whose offloaded calls take a while, as those of a thread do."""

    def __init__(self, tasks):
        self.promise = tasks.promise
        self._sleep = tasks.sleep
        self.at_once = self.most_at_once = 0

    async def offload(self, call, *arguments):
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await self._sleep(10)
        call(*arguments)
        self.at_once -= 1


def test_a_file_is_written_by_one_at_a_time_and_the_last_numbers_stay():
    """Two writes would rename the same temporary file, and the second would fail the directory."""
    broker = Broker()

    async def act(manager, tasks):
        broker.add_topic(manager, "first")
        await manager.settled()
        (directory,) = manager.directories
        offloading: Any = Offloading(tasks)
        checkpoints = Checkpoints(offloading, lambda: manager)
        writes = []
        for _ in range(3):
            manager.leader("first", 0).append(batch())
            writes.append(tasks.spawn("write", checkpoints.write([directory], HIGH_WATERMARKS)))
            await tasks.sleep(1)
        for write in writes:
            await write
        return offloading.most_at_once, directory.high_watermarks.read()

    assert broker.run(act) == (1, {TopicPartition("first", 0): 3})


def test_a_failing_disk_takes_its_directory_offline_and_the_other_is_written():
    async def scenario(broker, manager, checkpoints, directories):
        broker.files.faults.add(Fault("sync", "disk0/*"))
        await checkpoints.write(directories, HIGH_WATERMARKS)
        return [directory.is_online for directory in directories], directories[
            1
        ].high_watermarks.read()

    assert with_two_disks(scenario) == ([False, True], {TopicPartition("second", 0): 1})


def test_a_log_that_starts_with_its_first_segment_needs_no_line():
    assert with_partition(log_start_offset) is None
