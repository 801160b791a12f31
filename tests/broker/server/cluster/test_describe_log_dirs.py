"""DescribeLogDirs: every directory, with what lies in it."""

from __future__ import annotations

from typing import Any

from moldau.protocol.messages.cluster.describe_log_dirs import DescribeLogDirsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import Broker as Disk
from tests.broker.server.data_broker import DataBroker, result_of

Topic = DescribeLogDirsRequest.DescribableLogDirTopic


def described(request: DescribeLogDirsRequest, spoil: Any = lambda broker: None) -> Any:
    async def scenario(broker: DataBroker):
        await broker.topic("topic", partitions=2)
        broker.partition("topic").append(batch())
        spoil(broker)
        return (await broker.ask(request, 5)).results

    return result_of(scenario, Disk(directory_count=2), cordoned_log_dirs=("disk1",))


def test_all_partitions_are_shown_with_their_sizes():
    first, second = described(DescribeLogDirsRequest(topics=None))
    assert (first.log_dir, second.log_dir) == ("disk0", "disk1")
    (topic,) = first.topics
    (partition,) = topic.partitions
    assert (topic.name, partition.partition_size, partition.offset_lag) == (
        "topic",
        len(batch()),
        0,
    )
    assert first.total_bytes >= first.usable_bytes > 0
    assert (first.is_cordoned, second.is_cordoned) == (False, True)


def test_only_what_was_asked_for_is_shown():
    asked = DescribeLogDirsRequest(topics=[Topic(topic="topic", partitions=[7])])
    assert [one.topics for one in described(asked)] == [[], []]
    asked = DescribeLogDirsRequest(topics=[Topic(topic="topic", partitions=[1, 7, 1])])
    found = [(one.name, [part.partition_index for part in one.partitions])
             for directory in described(asked) for one in directory.topics]  # fmt: skip
    assert found == [("topic", [1])]


def test_partitions_that_come_while_it_is_gone_through_are_left_out():
    async def scenario(broker: DataBroker):
        await broker.topic("topic", partitions=2)
        found = broker.replicas.held_in(broker.partition("topic").directory)
        first = next(found)
        await broker.topic("later")
        return [first.name, *(one.name for one in found)]

    assert {topic for topic, _ in result_of(scenario)} == {"topic"}


def test_an_offline_directory_shows_its_error_and_nothing_else():
    def spoil(broker: DataBroker) -> None:
        broker.partition("topic").directory.take_offline("pulled out")

    first, second = described(DescribeLogDirsRequest(topics=None), spoil)
    assert (first.error_code, first.topics) == (ErrorCode.KAFKA_STORAGE_ERROR, [])
    assert second.error_code == 0
