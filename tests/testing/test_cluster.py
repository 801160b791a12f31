"""A cluster of processes, as the tests of a program use it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic

import moldau.testing
from moldau.client import Admin
from moldau.config.refusals import SettingError, UnknownSettingError
from moldau.testing import Cluster, ClusterFailedError, NotStartedError
from tests.cluster.asking import until

TIMEOUT_S = 60
QUICK = {
    "broker.session.timeout.ms": 2000,
    "broker.heartbeat.interval.ms": 500,
    "replica.lag.time.max.ms": 2000,
}
"""What is noticed after 9 and after 30 seconds otherwise."""


@pytest.fixture(scope="module")
def cluster():
    with Cluster(nodes=3, settings={"num.partitions": 2, **QUICK}, racks=True) as started:
        yield started


def brokers(cluster):
    admin = AdminClient({"bootstrap.servers": cluster.bootstrap})
    return {node.id: node.rack for node in admin.describe_cluster().result(TIMEOUT_S).nodes}


def produce(cluster, topic, value=b"v", *, acks="all", nodes=None):
    """One record, acknowledged; only `nodes` are known at first."""
    outcome = []
    bootstrap = ",".join(map(cluster.address, nodes or cluster.node_ids))
    patience = {"request.timeout.ms": 2000}  # a leader that was cut off keeps its clients waiting
    producer = Producer({"bootstrap.servers": bootstrap, "acks": acks, **patience})
    producer.produce(topic, value, partition=0, on_delivery=lambda error, _: outcome.append(error))
    assert producer.flush(TIMEOUT_S) == 0
    return outcome


def view_of(cluster, topic, node_id):
    """What this node answers about partition 0."""
    with Admin(cluster.address(node_id)) as admin:
        return admin.describe_topics(topic)[topic].partitions[0]


def values_on_disk(cluster, node_id, topic):
    segment = Path(cluster._directory, f"node-{node_id}", f"{topic}-0", f"{0:020}.log")
    return re.findall(rb"before|stale|meanwhile", segment.read_bytes())


def test_three_nodes_have_their_racks_and_the_settings(cluster):
    assert brokers(cluster) == {1: "rack-1", 2: "rack-2", 3: "rack-3"}
    admin = AdminClient({"bootstrap.servers": cluster.bootstrap})
    admin.create_topics([NewTopic("t")])["t"].result(TIMEOUT_S)
    partitions = until(lambda: admin.list_topics("t", TIMEOUT_S).topics["t"].partitions)
    assert [len(one.replicas) for one in partitions.values()] == [3, 3]


def test_a_cluster_outlives_a_node_that_is_killed_and_takes_it_back(cluster):
    cluster.kill(2)
    assert "2 ended" in repr(cluster)
    assert produce(cluster, "killed") == [None]
    cluster.restart(2)
    assert set(brokers(cluster)) == {1, 2, 3}
    assert "Kafka Server started" in cluster.log(2)


def test_the_leader_of_a_partition_is_killed_and_another_leads(cluster):
    assert produce(cluster, "led") == [None]
    killed = cluster.kill_leader("led", 1)
    assert produce(cluster, "led") == [None]
    assert cluster.leader("led", 1) != killed
    cluster.restart(killed)
    with pytest.raises(ClusterFailedError, match="there is no led-7; led has 2 partitions"):
        cluster.leader("led", 7)


def test_a_node_that_is_stopped_in_order_says_so_in_its_log(cluster):
    cluster.stop(3)
    assert "shut down completed" in cluster.log(3)
    with pytest.raises(ClusterFailedError, match=re.escape("node 3 does not run; restart(3)")):
        cluster.pause(3)
    cluster.restart(3)


def test_a_node_that_stands_still_goes_on_where_it_was(cluster):
    cluster.pause(1)
    assert "1 paused" in repr(cluster)
    cluster.resume(1)
    assert "1 running" in repr(cluster)
    assert produce(cluster, "paused") == [None]


def test_a_node_that_is_paused_is_not_cut_off_and_holds_up_no_other(cluster):
    cluster.pause(1)
    with pytest.raises(ClusterFailedError, match=re.escape("node 1 is paused: resume(1)")):
        cluster.cut(2)
    cluster.cut(2, 3)
    cluster.heal()
    cluster.restart(1)
    assert "1 running" in repr(cluster)
    assert produce(cluster, "resumed") == [None]


def test_a_leader_that_is_cut_off_is_replaced_and_drops_what_it_alone_has(cluster):
    assert produce(cluster, "cut", b"before") == [None]
    cut_off = cluster.leader("cut")
    others = [node for node in cluster.node_ids if node != cut_off]
    cluster.cut(cut_off)
    assert produce(cluster, "cut", b"stale", acks="1", nodes=[cut_off]) == [None]
    until(lambda: all(view_of(cluster, "cut", node).leader in others for node in others))
    assert produce(cluster, "cut", b"meanwhile", nodes=others) == [None]
    with pytest.raises(ClusterFailedError, match=re.escape(f"heal() before restart({cut_off})")):
        cluster.restart(cut_off)
    cluster.heal()
    until(lambda: cut_off in view_of(cluster, "cut", others[0]).isr)
    assert values_on_disk(cluster, cut_off, "cut") == [b"before", b"meanwhile"]


def test_two_nodes_that_are_cut_from_each_other_follow_the_third(cluster):
    assert produce(cluster, "parted") == [None]
    leader = cluster.leader("parted")
    one, other = (node for node in cluster.node_ids if node != leader)
    cluster.cut(one, other)
    assert produce(cluster, "parted", nodes=[leader]) == [None]
    cluster.heal()
    until(lambda: len(view_of(cluster, "parted", leader).isr) == 3)


def test_there_are_the_nodes_that_there_are(cluster):
    with pytest.raises(ClusterFailedError, match="there is no node 4; ids are 1 to 3"):
        cluster.kill(4)


def test_nothing_is_left_behind():
    with Cluster(nodes=1) as alone:
        directory = Path(alone._directory)
        assert directory.exists()
    assert not directory.exists()
    with pytest.raises(NotStartedError):
        alone.kill(1)


def test_a_node_that_does_not_start_is_an_error_with_the_end_of_its_log():
    wrong = {"listeners": "PLAINTEXT://192.0.2.1:9092,CONTROLLER://127.0.0.1:0"}
    with pytest.raises(ClusterFailedError, match="node 1 ended with exit code 1; its log ends: "):
        Cluster(nodes=1, settings=wrong).__enter__()


@pytest.mark.parametrize("nodes", [0, 100])
def test_what_is_no_number_of_nodes_is_refused(nodes):
    with pytest.raises(SettingError, match="a cluster has 1 to 99 nodes here"):
        Cluster(nodes=nodes)


def test_nothing_else_is_offered():
    with pytest.raises(AttributeError, match="no attribute 'Swarm'"):
        _ = moldau.testing.Swarm  # type: ignore[attr-defined]


def test_what_is_no_setting_is_refused():
    with pytest.raises(UnknownSettingError):
        Cluster(settings={"num.partition": 1})
