"""Wishes are kept by topic, and show which of them a change touches."""

from __future__ import annotations

from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.replica.wanted import WantedPartitions
from tests.broker.replica.broker_world import NODE, Assigned, SomeTopic

HERE, ELSEWHERE = Assigned(), Assigned(replicas=(2,), leader=2)


def test_only_partitions_with_a_replica_here_are_wanted():
    wanted = WantedPartitions(NODE)
    assert wanted.set_topic(SomeTopic("a", b"1", {0: HERE, 1: ELSEWHERE})) == [("a", 0)]
    assert wanted.get(TopicPartition("a", 1)) is None


def test_a_partition_that_moves_away_is_touched_and_no_longer_wanted():
    wanted = WantedPartitions(NODE)
    wanted.set_topic(SomeTopic("a", b"1", {0: HERE}))
    assert wanted.set_topic(SomeTopic("a", b"1", {0: ELSEWHERE})) == [("a", 0)]
    assert list(wanted) == []


def test_the_end_of_an_old_topic_id_does_not_take_the_topic_that_has_its_name_now():
    wanted = WantedPartitions(NODE)
    wanted.set_topic(SomeTopic("a", b"1", {0: HERE}))
    wanted.set_topic(SomeTopic("a", b"2", {0: HERE}))
    assert wanted.drop_topic(b"1") == []
    found = wanted.get(TopicPartition("a", 0))
    assert found is not None
    assert found.topic_id == b"2"
