"""Partitions are found by name, and are what the metadata says."""

from __future__ import annotations

import pytest

from moldau.errors import KafkaError
from moldau.platform.ports.files import read_whole, replace_whole
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import Broker, SomeDelta


def refusal(call, *arguments) -> int:
    with pytest.raises(KafkaError) as caught:
        call(*arguments)
    return caught.value.code


def test_a_topic_of_the_metadata_can_be_written_to_once_all_is_settled():
    broker = Broker()

    async def act(manager, tasks):
        broker.add_topic(manager)
        assert refusal(manager.leader, "topic", 0) == ErrorCode.NOT_LEADER_OR_FOLLOWER
        await manager.settled()
        return manager.leader("topic", 0).append(batch(0, (b"a",))).last_offset

    assert broker.run(act) == 0


def test_an_unknown_partition_is_distinguished_from_one_that_is_elsewhere():
    broker = Broker()

    async def act(manager, tasks):
        broker.add_topic(manager, replicas=(2,), leader=2)
        return refusal(manager.partition, "topic", 0), refusal(manager.partition, "topic", 1)

    assert broker.run(act) == (
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    )


def test_records_and_high_watermark_are_there_after_a_restart():
    broker = Broker()

    async def write(manager, tasks):
        broker.add_topic(manager)
        await manager.settled()
        manager.leader("topic", 0).append(batch(0, (b"a", b"b")))

    async def look(manager, tasks):
        partition = manager.leader("topic", 0)
        return partition.log_end_offset, partition.high_watermark

    broker.run(write)
    assert broker.run(look) == (2, 2)


def test_settings_of_a_topic_reach_its_logs():
    broker = Broker()
    broker.add_topic(None)

    async def act(manager, tasks):
        broker.settings.max_message_bytes = 100
        manager.apply(SomeDelta(changed_configs={(2, "topic")}), broker.image)
        return manager.partition("topic", 0).log.settings.max_message_bytes

    assert broker.run(act) == 100


def test_listeners_are_notified_of_leaders_that_come_and_go():
    broker = Broker()
    topic_id = broker.add_topic(None, leader_epoch=3)
    notified: list[tuple[object, ...]] = []

    async def act(manager, tasks):
        manager.listen(
            lambda topic, index, epoch: notified.append(("leads", topic, index, epoch)),
            lambda topic, index: notified.append(("leaves", topic, index)),
        )
        broker.delete_topic(manager, topic_id)

    broker.run(act)
    assert notified == [("leads", "topic", 0, 3), ("leaves", "topic", 0)]


def test_what_was_not_assigned_is_set_aside_as_a_stray():
    broker = Broker()
    topic_id = broker.add_topic(None)

    async def nothing(manager, tasks):
        await tasks.sleep(1)
        return broker.files.list("disk0")

    broker.run(nothing)
    del broker.image.topics.by_id[topic_id]
    names = broker.run(nothing)
    assert [name for name in names if name.startswith("topic-0.") and name.endswith("-stray")]
    assert "topic-0" not in names


def test_a_log_that_does_not_say_whose_it_is_is_offline_until_that_is_mended(caplog):
    broker = Broker()
    broker.add_topic(None)

    async def write(manager, tasks):
        manager.partition("topic", 0).append(batch(0, (b"a",)))

    async def ask(manager, tasks):
        await tasks.sleep(1)
        with pytest.raises(KafkaError) as caught:
            manager.partition("topic", 0)
        return caught.value.code

    async def end(manager, tasks):
        return manager.partition("topic", 0).log_end_offset

    broker.run(write)
    path = "disk0/topic-0/partition.metadata"
    contents = read_whole(broker.files, path)
    replace_whole(broker.files, path, b"nonsense")
    assert broker.run(ask) == ErrorCode.KAFKA_STORAGE_ERROR
    assert (
        caplog.text.count("topic-0 is offline: disk0/topic-0/partition.metadata: it has not") == 1
    )
    replace_whole(broker.files, path, contents)
    assert broker.run(end) == 1
