"""What records say of topics and partitions, one by one."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.metadata.topics import (
    MIGRATING_DIRECTORY,
    Topics,
    TopicsDelta,
    UnknownEntryError,
    changed_partition,
    partition_of,
)
from moldau.protocol.messages.stored.metadata_topics import (
    ClearElrRecord,
    PartitionChangeRecord,
    PartitionRecord,
    RemoveTopicRecord,
    TopicRecord,
)

ORDERS = b"o" * 16
CLICKS = b"c" * 16
DISK = b"d" * 16


def partition_record(index: int = 0, topic_id: bytes = ORDERS, **fields) -> PartitionRecord:
    given: dict[str, Any] = {"isr": [1, 2], "leader": 1, "leader_epoch": 4}
    return PartitionRecord(
        partition_id=index,
        topic_id=topic_id,
        replicas=[1, 2, 3],
        removing_replicas=[],
        adding_replicas=[],
        partition_epoch=7,
        directories=[DISK] * 3,
        **(given | fields),
    )


def two_topics() -> Topics:
    delta = TopicsDelta(Topics())
    for name, topic_id in (("orders", ORDERS), ("clicks", CLICKS)):
        delta.apply_topic(TopicRecord(name=name, topic_id=topic_id))
        delta.apply_partition(partition_record(0, topic_id, eligible_leader_replicas=[3]))
    return delta.build()


def test_a_change_that_names_a_leader_raises_both_epochs():
    before = partition_of(partition_record())
    after = changed_partition(before, PartitionChangeRecord(topic_id=ORDERS, leader=1))
    assert (after.leader_epoch, after.partition_epoch) == (5, 8)


def test_a_change_without_a_leader_raises_the_partition_epoch_alone():
    before = partition_of(partition_record())
    after = changed_partition(before, PartitionChangeRecord(topic_id=ORDERS, isr=[1, 2, 3]))
    assert (after.leader, after.leader_epoch, after.partition_epoch) == (1, 4, 8)
    assert after.isr == (1, 2, 3)
    assert after.replicas == before.replicas


def test_a_partition_without_directories_is_on_the_brokers_single_one():
    state = partition_of(partition_record())
    assert state.directory_of(2) == DISK
    assert state.directory_of(9) is None
    old = partition_record()
    old.directories = []
    assert partition_of(old).directories == (MIGRATING_DIRECTORY,) * 3


def test_untouched_topics_are_shared_between_images():
    before = two_topics()
    delta = TopicsDelta(before)
    delta.apply_partition_change(PartitionChangeRecord(topic_id=ORDERS, partition_id=0, leader=2))
    after = delta.build()
    assert after.by_id[CLICKS] is before.by_id[CLICKS]
    assert after.partition("orders", 0) != before.partition("orders", 0)
    assert (delta.changed, delta.changed_partitions) == ({ORDERS}, {(ORDERS, 0)})


def test_an_image_that_was_built_does_not_change_when_the_delta_goes_on():
    delta = TopicsDelta(two_topics())
    delta.apply_partition(partition_record(1))
    built = delta.build()
    delta.apply_partition(partition_record(2))
    assert set(built.by_name["orders"].partitions) == {0, 1}
    assert set(delta.build().by_name["orders"].partitions) == {0, 1, 2}


def test_a_removed_topic_is_gone_under_both_names():
    delta = TopicsDelta(two_topics())
    assert delta.apply_remove_topic(RemoveTopicRecord(topic_id=ORDERS)) == "orders"
    after = delta.build()
    assert (set(after.by_name), set(after.by_id)) == ({"clicks"}, {CLICKS})
    assert (delta.deleted, delta.changed) == ({ORDERS}, set())


def test_a_topic_may_come_back_under_its_name_in_the_same_delta():
    delta = TopicsDelta(two_topics())
    delta.apply_remove_topic(RemoveTopicRecord(topic_id=ORDERS))
    delta.apply_topic(TopicRecord(name="orders", topic_id=DISK))
    after = delta.build()
    assert after.by_name["orders"].topic_id == DISK
    assert ORDERS not in after.by_id


def test_a_topic_that_came_and_went_leaves_no_trace():
    before = two_topics()
    delta = TopicsDelta(before)
    delta.apply_topic(TopicRecord(name="short", topic_id=DISK))
    delta.apply_remove_topic(RemoveTopicRecord(topic_id=DISK))
    assert delta.build() == before
    assert delta.deleted == set()


@pytest.mark.parametrize(("name", "cleared"), [("orders", {ORDERS}), ("", {ORDERS, CLICKS})])
def test_eligible_leaders_are_forgotten_in_one_topic_or_in_all(name, cleared):
    delta = TopicsDelta(two_topics())
    delta.apply_clear_elr(ClearElrRecord(topic_name=name))
    after = delta.build()
    assert delta.changed == cleared
    for topic_id, topic in after.by_id.items():
        assert bool(topic.partitions[0].eligible_leader_replicas) == (topic_id not in cleared)


def test_a_change_of_what_is_not_there_is_an_error():
    delta = TopicsDelta(two_topics())
    with pytest.raises(UnknownEntryError, match="partition 5"):
        delta.apply_partition_change(PartitionChangeRecord(topic_id=ORDERS, partition_id=5))
    with pytest.raises(UnknownEntryError, match="not there"):
        delta.apply_remove_topic(RemoveTopicRecord(topic_id=DISK))
