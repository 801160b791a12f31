"""Brokers come and go, and every partition makes the best of it."""

import pytest

from moldau.broker.controller.partitions.leaders import (
    rules_for,
    usual_election,
    when_directories_fail,
    when_gone,
    when_leaving,
    when_restarted_unclean,
)
from moldau.broker.controller.partitions.target import Election
from moldau.protocol.messages.stored.metadata_topics import PartitionChangeRecord
from tests.broker.controller.conversation import Conversation, directory


def three(**given):
    cluster = Conversation(brokers=3, **given)
    return cluster, cluster.controller._situation


def test_only_partitions_that_count_on_the_broker_change():
    cluster, situation = three()
    cluster.create("with", (1, 2))
    cluster.create("without", (2, 3))
    records = when_leaving(situation(0, 0), 1)
    assert [(record.isr, record.leader) for record in records] == [([2], 2)]


def test_a_topic_that_allows_it_goes_on_with_the_replicas_that_are_there():
    cluster, situation = three()
    cluster.create("t", (1, 2), unclean_leader_election_enable="true")
    cluster.create("u", (1, 2))
    assert usual_election(situation(0, 0), "t") is Election.UNCLEAN
    assert usual_election(situation(0, 0), "u") is Election.ONLINE
    cluster.beat(2, want_fence=True)
    cluster.beat(1, want_fence=True)
    cluster.beat(2)
    assert cluster.partition("t").leader == 2
    assert (cluster.partition("u").leader, cluster.partition("u").isr) == (-1, ())


def test_no_partition_counts_on_a_broker_that_is_gone_or_restarted_uncleanly():
    for when in (when_gone, when_restarted_unclean):
        cluster, situation = three(min_insync_replicas="3")
        cluster.create("t", (1, 2, 3))
        cluster.beat(1, want_fence=True)
        assert cluster.partition("t").eligible_leader_replicas == (1,)
        cluster.write(when(situation(0, 0), 1))
        remaining = cluster.partition("t").eligible_leader_replicas
        assert remaining == (() if when is when_restarted_unclean else (1,))


@pytest.mark.parametrize("when", [when_gone, when_restarted_unclean])
def test_an_eligible_replica_that_was_moved_away_is_removed_when_its_broker_is_lost(when):
    cluster, situation = three(min_insync_replicas="2")
    cluster.create("t", (2, 3))
    assert list(situation(0, 0).replicas.eligible(2)) == []  # from now on, it is kept up to date
    topic_id = cluster.image.topics.by_name["t"].topic_id
    moved = PartitionChangeRecord(topic_id=topic_id, partition_id=0, replicas=[1], isr=[1])
    moved.directories = [directory(1)]
    moved.leader, moved.eligible_leader_replicas = 1, [2, 3]
    cluster.write([moved])
    cluster.write(when(situation(0, 0), 2))
    assert cluster.partition("t").eligible_leader_replicas == ()
    assert (cluster.partition("t").leader, cluster.partition("t").isr) == (1, (1,))


def test_the_minimum_never_exceeds_the_number_of_replicas():
    cluster, situation = three(min_insync_replicas="3")
    cluster.create("t", (1, 2))
    topic = cluster.image.topics.by_name["t"]
    assert rules_for(situation(0, 0), topic, topic.partitions[0]).min_isr == 2


def test_a_failed_directory_concerns_only_what_lies_in_it():
    cluster, situation = three()
    cluster.create("t", (1, 2))
    assert when_directories_fail(situation(0, 0), 1, frozenset({directory(1, 5)})) == []
    records = when_directories_fail(situation(0, 0), 1, frozenset({directory(1)}))
    assert [record.leader for record in records] == [2]
