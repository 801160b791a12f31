"""Silence has consequences."""

from tests.controller.conversation import Conversation, names


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


def test_a_cluster_of_nobody_needs_no_waking():
    cluster = Conversation(metadata_max_idle_interval_ms="0")
    assert cluster.controller.wake_at_ms() is None
