"""A partition moves to another directory while it is written to, and nothing is lost on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.reading import Isolation
from moldau.broker.log.world import World
from moldau.broker.replica.partition import Partition
from moldau.errors import FileMissingError, KafkaError
from moldau.platform.simulated.disk_faults import Fault, FaultPlan
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.records.batch import read_header
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import DIRECTORY_IDS, Broker


def two_disks(scenario: Any, **assigned: Any) -> tuple[Broker, Any]:
    """A topic of five batches on the first of two disks, and a scenario."""
    broker = Broker(directory_count=2)
    broker.settings.segment_bytes = 300
    broker.add_topic(None, directories=(DIRECTORY_IDS[0],), **assigned)

    async def act(manager, tasks):
        partition = manager.leader("topic", 0)
        for _ in range(5):
            partition.append(batch(0, (b"v" * 100,), producer=(-1, -1, -1)))
        return await scenario(broker, manager, tasks, partition)

    return broker, broker.run(act)


def contents(partition) -> bytes:
    found, offset = b"", partition.log_start_offset
    while (result := partition.read(offset, 1 << 20, Isolation.LOG_END)).size:
        found += result.read()
        offset += result.size // len(batch(0, (b"v" * 100,)))
    return found


def test_a_moved_partition_has_its_records_its_epochs_and_its_watermark():
    async def scenario(broker, manager, tasks, partition):
        before = contents(partition), partition.log.epochs.entries
        manager.move("topic", 0, "disk1")
        await tasks.sleep(10)
        after = contents(partition), partition.log.epochs.entries
        partition.append(batch())
        return before == after, partition.directory.path, partition.high_watermark

    broker, outcome = two_disks(scenario, leader_epoch=3)
    assert outcome == (True, "disk1", 6)
    assert "topic-0" in broker.files.list("disk1")
    assert "topic-0" not in broker.files.list("disk0")


def test_a_log_that_begins_within_a_batch_moves_with_the_whole_batch():
    async def scenario(broker, manager, tasks, partition):
        partition.append(batch(0, (b"a", b"b", b"c"), producer=(-1, -1, -1)))
        partition.log.advance_start_offset(6)
        manager.move("topic", 0, "disk1")
        await tasks.sleep(10)
        found = partition.read(6, 1 << 20, Isolation.LOG_END).read()
        ends = partition.log_start_offset, partition.log_end_offset
        return partition.directory.path, ends, read_header(found).base_offset

    assert two_disks(scenario)[1] == ("disk1", (6, 8), 5)


def test_what_is_written_during_the_move_moves_too():
    async def scenario(broker, manager, tasks, partition):
        manager.move("topic", 0, "disk1")
        while partition.directory.path == "disk0":
            if partition.log_end_offset < 9:
                partition.append(batch(0, (b"v" * 100,)))
            await tasks.sleep(0)
        return partition.log_end_offset, len(contents(partition))

    _, (end, size) = two_disks(scenario)
    assert end == 9
    assert size == 9 * len(batch(0, (b"v" * 100,)))


def test_a_copy_on_its_way_can_be_seen():
    async def scenario(broker, manager, tasks, partition):
        manager.move("topic", 0, "disk1")
        seen = set()
        while partition.directory.path == "disk0":
            await tasks.sleep(0)
            seen |= {
                (one.is_future, one.offset_lag > 0)
                for directory in manager.directories
                for one in manager.held_in(directory)
            }
        return seen

    assert two_disks(scenario)[1] >= {(False, False), (True, True)}


def test_the_old_log_leaves_after_a_minute():
    async def scenario(broker, manager, tasks, partition):
        manager.move("topic", 0, "disk1")
        await tasks.sleep(10)
        left = [name for name in broker.files.list("disk0") if name.endswith("-delete")]
        await manager.leaving.remove_due(broker.clock.now_ms() + 60_000)
        return len(left), [name for name in broker.files.list("disk0") if "topic" in name]

    assert two_disks(scenario)[1] == (1, [])


def test_a_restart_goes_on_with_the_copy():
    async def stop_halfway(broker, manager, tasks, partition):
        manager.move("topic", 0, "disk1")
        await tasks.sleep(0)
        manager.moves.give_up()
        await tasks.sleep(10)
        return partition.directory.path

    broker, path = two_disks(stop_halfway)

    async def look(manager, tasks):
        await tasks.sleep(20)
        partition = manager.leader("topic", 0)
        return partition.directory.path, partition.log_end_offset

    assert path == "disk0"
    assert broker.run(look) == ("disk1", 5)


def test_another_wish_gives_up_the_move():
    async def scenario(broker, manager, tasks, partition):
        manager.move("topic", 0, "disk1")
        manager.move("topic", 0, "disk0")
        await tasks.sleep(20)
        futures = [name for name in broker.files.list("disk1") if "topic" in name]
        return partition.directory.path, futures

    assert two_disks(scenario)[1] == ("disk0", [])


def test_a_target_that_fails_leaves_the_partition_where_it_is():
    async def scenario(broker, manager, tasks, partition):
        broker.files.faults.add(Fault("append", "disk1/*.log"))
        manager.move("topic", 0, "disk1")
        await tasks.sleep(20)
        partition.append(batch())
        return partition.directory.path, partition.directory.is_online

    assert two_disks(scenario)[1] == ("disk0", True)


def moved_with(fault: Fault) -> tuple[Broker, Any]:
    """Where a partition is that was to move, and which disks have outlived it."""

    async def scenario(broker, manager, tasks, partition):
        broker.files.faults.add(fault)
        manager.move("topic", 0, "disk1")
        await tasks.sleep(20)
        partition.append(batch())
        return partition.directory.path, [one.is_online for one in manager.directories.opened]

    return two_disks(scenario)


def test_a_target_that_fails_at_the_last_step_leaves_the_partition_where_it_is():
    assert moved_with(Fault("rename", "disk1/topic-0.*"))[1] == ("disk0", [True, False])


def test_a_source_that_fails_at_the_last_step_is_left_behind():
    broker, outcome = moved_with(Fault("rename", "disk0/topic-0"))
    assert outcome == ("disk1", [False, True])
    assert [name for path in broker.paths for name in broker.files.list(path) if "topic" in name]

    async def look(manager, tasks):
        await tasks.sleep(1)
        partition = manager.leader("topic", 0)
        strays = [name for name in broker.files.list("disk0") if name.endswith("-stray")]
        return partition.directory.path, partition.log_end_offset, len(strays)

    next(iter(broker.image.topics.by_id.values())).partitions[0].directories = DIRECTORY_IDS[1:]
    broker.files.faults = FaultPlan()
    assert broker.run(look) == ("disk1", 6, 1)


def test_a_reader_of_the_log_that_has_moved_is_answered_by_the_new_one():
    async def scenario(broker, manager, tasks, partition):
        before = contents(partition)
        manager.move("topic", 0, "disk1")
        await tasks.sleep(20)
        partition.log = log_that_moves_while_it_is_read(broker, partition)
        return before == contents(partition), partition.directory.is_online

    assert two_disks(scenario)[1] == (True, True)


def log_that_moves_while_it_is_read(broker: Broker, partition: Partition) -> PartitionLog:
    """The old log, to a reader that came just before the switch and needs a file just after."""
    moved = partition.log
    files: Any = FilesThatMove(broker.files)
    world = World(files, broker.clock, SeededRandom(1))
    remembered = Remembered(recovery_point=moved.log_end_offset, clean=True)
    old = PartitionLog.open(world, moved.directory, moved.settings, remembered)

    def switch() -> None:
        partition.log = moved

    files.on_open = switch
    return old


class FilesThatMove:
    """Once `on_open` is set nothing is there that is opened."""

    def __init__(self, files: Any) -> None:
        self._files = files
        self.on_open: Callable[[], None] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def open(self, path: str, **wishes: bool) -> Any:
        if self.on_open is None:
            return self._files.open(path, **wishes)
        self.on_open()
        raise FileMissingError(path, "there is no such file or directory")


@pytest.mark.parametrize(
    ("topic", "path", "code"),
    [
        ("topic", "elsewhere", ErrorCode.LOG_DIR_NOT_FOUND),
        ("other", "disk1", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
    ],
)
def test_impossible_moves_are_refused(topic, path, code):
    async def scenario(broker, manager, tasks, partition):
        with pytest.raises(KafkaError) as caught:
            manager.move(topic, 0, path)
        return caught.value.code

    assert two_disks(scenario)[1] == code


def test_what_lies_in_a_failed_directory_cannot_be_moved_out_of_it():
    async def scenario(broker, manager, tasks, partition):
        partition.directory.take_offline("the disk is broken")
        with pytest.raises(KafkaError) as caught:
            manager.move("topic", 0, "disk1")
        return caught.value.code

    assert two_disks(scenario)[1] == ErrorCode.KAFKA_STORAGE_ERROR


def test_a_throttled_move_takes_its_time_and_still_ends():
    async def scenario(broker, manager, tasks, partition):
        manager.throttles.between_directories.bound = 100
        size = partition.log.size
        manager.move("topic", 0, "disk1")
        began_ms = broker.clock.now_ms()
        await tasks.sleep(3_000)
        soon = partition.directory.path
        while partition.directory.path == "disk0":
            await tasks.sleep(100)
        return soon, (broker.clock.now_ms() - began_ms) / 1000, size / 100

    _, (soon, took_s, fair_s) = two_disks(scenario)
    assert soon == "disk0"
    assert fair_s * 0.6 < took_s < fair_s * 1.4


def test_only_whole_batches_count_for_the_throttle():
    async def scenario(broker, manager, tasks, partition):
        one = len(batch(0, (b"v" * 100,)))
        manager.throttles.between_directories.bound = one * 3 // 2
        manager.move("topic", 0, "disk1")
        began_ms = broker.clock.now_ms()
        while partition.directory.path == "disk0":
            await tasks.sleep(10)
        return (broker.clock.now_ms() - began_ms) / 1000

    assert two_disks(scenario)[1] < 4


def test_a_throttled_move_can_be_given_up():
    async def scenario(broker, manager, tasks, partition):
        manager.throttles.between_directories.bound = 1
        manager.move("topic", 0, "disk1")
        await tasks.sleep(2_000)
        manager.move("topic", 0, "disk0")
        await tasks.sleep(2_000)
        return [name for name in broker.files.list("disk1") if "topic" in name]

    assert two_disks(scenario)[1] == []
