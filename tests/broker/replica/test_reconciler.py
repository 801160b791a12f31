"""Whatever the metadata wants, in whatever order, is true in the end."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.errors import KafkaError
from moldau.platform.simulated.disk_faults import Fault
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import DIRECTORY_IDS, Assigned, Broker, SomeDelta, SomeTopic

MANY = 60
"""Partitions: more than one piece of work beside the loop takes."""


def test_a_topic_that_is_created_anew_begins_empty():
    broker = Broker()
    old = broker.add_topic(None)

    async def act(manager, tasks):
        manager.leader("topic", 0).append(batch(0, (b"a",)))
        del broker.image.topics.by_id[old]
        anew = b"another id......"
        broker.image.topics.by_id[anew] = SomeTopic("topic", anew, {0: Assigned()})
        manager.apply(SomeDelta({anew}, {old}), broker.image)
        await manager.settled()
        return manager.leader("topic", 0).log_end_offset, manager.leader("topic", 0).topic_id

    assert broker.run(act) == (0, b"another id......")


def test_a_topic_that_is_deleted_while_it_is_opened_leaves_nothing_live():
    broker = Broker()

    async def act(manager, tasks):
        topic_id = broker.add_topic(manager)
        broker.delete_topic(manager, topic_id)
        await manager.settled()
        return list(manager), [name for name in broker.files.list("disk0") if name == "topic-0"]

    assert broker.run(act) == ([], [])


def test_a_deleted_topic_is_renamed_so_that_a_restart_removes_it():
    broker = Broker()
    topic_id = broker.add_topic(None)

    async def delete(manager, tasks):
        broker.delete_topic(manager, topic_id)
        await manager.settled()
        return [name for name in broker.files.list("disk0") if name.endswith("-delete")]

    async def look(manager, tasks):
        await tasks.sleep(1)
        return [name for name in broker.files.list("disk0") if name.endswith("-delete")]

    assert len(broker.run(delete)) == 1
    assert broker.run(look) == []


def test_who_reads_a_deleted_log_for_the_first_time_takes_no_directory_offline():
    broker = Broker()
    topic_id = broker.add_topic(None)

    async def write(manager, tasks):
        manager.partition("topic", 0).append(batch(0, (b"a",)))
        broker.mark_clean("disk0")

    async def read_late(manager, tasks):
        partition = manager.partition("topic", 0)
        broker.delete_topic(manager, topic_id)
        await manager.settled()
        with pytest.raises(KafkaError) as caught:
            partition.read(0, 1000)
        return caught.value.code, partition.directory.is_online

    broker.run(write)
    assert broker.run(read_late) == (ErrorCode.NOT_LEADER_OR_FOLLOWER, True)


def test_a_leader_epoch_is_noted_in_the_log_before_its_first_record():
    broker = Broker()
    topic_id = broker.add_topic(None, leader_epoch=2)

    async def act(manager, tasks):
        manager.leader("topic", 0).append(batch(0, (b"a",)))
        broker.change(manager, topic_id, leader_epoch=5)
        await manager.settled()
        return [tuple(entry) for entry in manager.leader("topic", 0).log.epochs.entries]

    assert broker.run(act) == [(2, 0), (5, 1)]


def test_a_new_epoch_is_noted_in_the_logs_of_all_that_are_led_in_it():
    broker = Broker()
    topic_id = broker.add_topic(None, leader_epoch=2)
    topic = broker.image.topics.by_id[topic_id]
    topic.partitions.update({index: Assigned(leader_epoch=2) for index in range(MANY)})

    async def act(manager, tasks):
        topic.partitions.update({index: Assigned(leader_epoch=5) for index in range(1, MANY)})
        manager.apply(SomeDelta({topic_id}), broker.image)
        await manager.settled()
        leaders = [manager.leader("topic", index) for index in range(MANY)]
        return [(one.leader_epoch, one.log.epochs.latest_epoch) for one in leaders]

    assert broker.run(act) == [(2, 2)] + [(5, 5)] * (MANY - 1)


def test_an_epoch_that_cannot_be_noted_takes_the_directory_offline_and_no_other():
    broker = Broker(directory_count=2)
    topic_id = broker.add_topic(None)
    topic = broker.image.topics.by_id[topic_id]

    def assigned(epoch: int) -> dict[int, Assigned]:
        homes = [(DIRECTORY_IDS[index % 2],) for index in range(MANY)]
        return {
            index: Assigned(leader_epoch=epoch, directories=home)
            for index, home in enumerate(homes)
        }

    async def act(manager, tasks):
        topic.partitions.update(assigned(3))
        broker.files.faults.add(Fault("rename", "disk1/topic-7/leader-epoch*"))
        manager.apply(SomeDelta({topic_id}), broker.image)
        await manager.settled()
        for index in range(1, MANY, 2):
            with pytest.raises(KafkaError) as caught:
                manager.leader("topic", index)
            assert caught.value.code == ErrorCode.KAFKA_STORAGE_ERROR
        noted = [manager.leader("topic", index).log.epochs for index in range(0, MANY, 2)]
        return list(manager.directories.offline), {one.latest_epoch for one in noted}

    topic.partitions.update(assigned(0))
    assert broker.run(act) == (["disk1"], {3})


def test_a_change_of_the_isr_alone_is_true_at_once():
    broker = Broker()
    two: dict[str, Any] = {"replicas": (1, 2), "directories": (bytes(16), bytes(16))}
    topic_id = broker.add_topic(None, isr=(1,), **two)

    async def act(manager, tasks):
        broker.change(manager, topic_id, isr=(1, 2), partition_epoch=1, **two)
        return not manager.pending, manager.leader("topic", 0).isr

    assert broker.run(act) == (True, (1, 2))


def test_a_log_that_cannot_be_opened_is_offline_and_its_directory_too():
    broker = Broker(directory_count=2)

    async def act(manager, tasks):
        broker.files.faults.add(Fault("open", "disk0/topic-0/*"))
        broker.add_topic(manager, directories=(DIRECTORY_IDS[0],))
        await manager.settled()
        with pytest.raises(KafkaError) as caught:
            manager.partition("topic", 0)
        return caught.value.code, list(manager.directories.offline)

    assert broker.run(act) == (ErrorCode.KAFKA_STORAGE_ERROR, ["disk0"])


def test_partitions_are_spread_over_the_directories():
    broker = Broker(directory_count=2)

    async def act(manager, tasks):
        for name in ("first", "second"):
            broker.add_topic(manager, name)
            await manager.settled()
        return [partition.directory.path for partition in manager]

    assert broker.run(act) == ["disk0", "disk1"]


def test_blocking_work_has_the_log_for_itself():
    broker = Broker()
    broker.add_topic(None)

    async def act(manager, tasks):
        partition = manager.leader("topic", 0)
        seen: list[object] = []

        def work() -> str:
            seen.append(manager.find("topic", 0))
            return "done"

        seen.append(await manager.exclusively(partition, work))
        seen.append(manager.find("topic", 0) is partition)
        return seen

    assert broker.run(act) == [None, "done", True]


def test_what_the_metadata_says_during_blocking_work_is_true_after_it():
    broker = Broker()
    topic_id = broker.add_topic(None)

    async def act(manager, tasks):
        partition = manager.leader("topic", 0)
        await manager.exclusively(partition, broker.delete_topic, manager, topic_id)
        await manager.settled()
        return list(manager)

    assert broker.run(act) == []


@pytest.mark.parametrize(("wanted", "reported"), [(bytes(16), ["disk0"]), (DIRECTORY_IDS[1], [])])
def test_a_directory_that_this_broker_has_chosen_is_reported(wanted, reported):
    broker = Broker(directory_count=2)

    async def act(manager, tasks):
        placed: list[str] = []
        manager.placed = lambda partition: placed.append(partition.directory.path)
        broker.add_topic(manager, directories=(wanted,))
        await manager.settled()
        return placed

    assert broker.run(act) == reported
