"""AlterReplicaLogDirs: partitions change their disk, and keep their records."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.protocol.messages.cluster.alter_replica_log_dirs import AlterReplicaLogDirsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import Broker as Disk
from tests.broker.server.data_broker import DataBroker, result_of


def request_of(path: str, topic: str) -> AlterReplicaLogDirsRequest:
    cls = AlterReplicaLogDirsRequest.AlterReplicaLogDir
    asked = cls(path=path, topics=[cls.AlterReplicaLogDirTopic(name=topic, partitions=[0])])
    return AlterReplicaLogDirsRequest(dirs=[asked])


def moved(path: str, topic: str = "topic") -> Any:
    """The code, and where the partition is soon after."""

    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        broker.partition("topic").append(batch())
        response = await broker.ask(request_of(path, topic), 2)
        await broker.tasks.sleep(20)
        partition = broker.partition("topic")
        code = response.results[0].partitions[0].error_code
        return code, partition.directory.path, partition.log_end_offset

    return result_of(scenario, Disk(directory_count=2))


def test_a_partition_moves_to_the_directory_that_is_named():
    assert moved("disk1") == (0, "disk1", 1)


def test_a_directory_that_is_not_configured_is_refused():
    assert moved("elsewhere") == (ErrorCode.LOG_DIR_NOT_FOUND, "disk0", 1)


def test_a_topic_whose_name_leaves_no_room_for_a_future_log_is_refused_first():
    assert moved("elsewhere", "x" * 249) == (ErrorCode.INVALID_TOPIC_EXCEPTION, "disk0", 1)


def test_a_partition_that_does_not_exist_cannot_move():
    assert moved("disk1", "other") == (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "disk0", 1)


@pytest.mark.parametrize("path", ["disk0", "disk1"])
def test_a_partition_that_comes_later_begins_in_its_preferred_directory(path):
    async def scenario(broker: DataBroker):
        await broker.ask(request_of(path, "topic"), 2)
        await broker.topic("topic")
        await broker.topic("another")
        return broker.partition("topic").directory.path, broker.partition("another").directory.path

    assert result_of(scenario, Disk(directory_count=2)) == (
        path,
        {"disk0": "disk1", "disk1": "disk0"}[path],
    )


def test_of_a_partition_that_is_named_twice_the_last_wish_counts():
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        cls = AlterReplicaLogDirsRequest.AlterReplicaLogDir
        twice = cls.AlterReplicaLogDirTopic(name="topic", partitions=[0, 0])
        asked = [cls(path=path, topics=[twice]) for path in ("elsewhere", "disk1")]
        response = await broker.ask(AlterReplicaLogDirsRequest(dirs=asked), 2)
        await broker.tasks.sleep(20)
        codes = [part.error_code for part in response.results[0].partitions]
        return codes, broker.partition("topic").directory.path

    assert result_of(scenario, Disk(directory_count=2)) == ([0], "disk1")
