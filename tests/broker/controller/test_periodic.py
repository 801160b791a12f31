"""Silence has consequences."""

from moldau.protocol.messages.stored.metadata_cluster import ConfigRecord
from tests.broker.controller.conversation import Conversation, names


def test_a_silent_broker_is_fenced_and_its_leaders_move():
    cluster = Conversation(brokers=2, metadata_max_idle_interval_ms="0")
    cluster.create("t", (1, 2))
    cluster.wait(5000)
    cluster.beat(2)
    assert cluster.wait(3999) == []
    assert names(cluster.wait(1)) == ["PartitionChange", "BrokerRegistrationChange"]
    assert (cluster.partition("t").leader, cluster.partition("t").isr) == (2, (2,))
    assert cluster.image.cluster.brokers[1].fenced


def test_when_nothing_is_written_something_that_says_nothing_is():
    cluster = Conversation()
    assert names(cluster.wait(1600)) == ["NoOp"] * 3
    cluster.join(1)
    assert cluster.wait(499) == []


def test_what_is_looked_after_now_and_then_can_be_switched_off():
    cluster = Conversation(
        metadata_max_idle_interval_ms="0",
        auto_leader_rebalance_enable="false",
        unclean_leader_election_interval_ms="9000000",
    )
    assert cluster.controller.wake_at_ms() == cluster.now_ms + 3_600_000
    assert cluster.wait(4_000_000) == []


def test_partitions_without_a_leader_get_any_replica_where_that_is_allowed():
    cluster = Conversation(brokers=2, metadata_max_idle_interval_ms="0")
    for name in ("t", "u"):
        cluster.create(name, (1, 2))
    for broker_id in (2, 1):
        cluster.beat(broker_id, want_fence=True)
    cluster.beat(2)
    cluster.write([ConfigRecord(
        resource_type=2, resource_name="t", name="unclean.leader.election.enable", value="true"
    )])  # fmt: skip
    cluster.now_ms += 300_000
    cluster.beat(2)
    assert names(cluster.wait(1)) == ["PartitionChange"]
    assert (cluster.partition("t").leader, cluster.partition("u").leader) == (2, -1)
