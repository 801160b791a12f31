"""Nodes of Apache Kafka and of ours in one cluster: voters, controllers, leaders and followers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest
from confluent_kafka import ElectionType, KafkaException
from confluent_kafka.admin import AdminClient

from tests.cluster.asking import admin, leaders, make_topic, until
from tests.cluster.group_reader import GroupReader
from tests.cluster.nodes import APACHE, OURS, Nodes
from tests.cluster.steady_load import SteadyLoad, Verdict
from tests.cluster.transaction_load import TransactionLoad

pytestmark = [pytest.mark.judge, pytest.mark.timeout(300)]

TIMEOUT_S = 30
CONTROLLER_AND_BROKERS = ["controller", "broker", "broker"]
TWO_COPIES = {
    "default.replication.factor": "2",
    "offsets.topic.replication.factor": "2",
    "transaction.state.log.replication.factor": "2",
    "share.coordinator.state.topic.replication.factor": "2",
    "min.insync.replicas": "1",
}


def in_sync(bootstrap: str, topic: str, count: int) -> Callable[[], bool]:
    """Whether every partition of the topic has so many replicas in sync."""

    def look() -> bool:
        with suppress(KafkaException):
            found = admin(bootstrap).list_topics(topic, timeout=TIMEOUT_S).topics[topic]
            sizes = [len(part.isrs) for part in found.partitions.values()]
            return bool(sizes) and set(sizes) == {count}
        return False

    return look


def prefer_first_replicas(asking: AdminClient) -> None:
    with suppress(KafkaException):  # some are led by them already
        asking.elect_leaders(ElectionType.PREFERRED, None).result(TIMEOUT_S)


@pytest.mark.parametrize("controller", [OURS, pytest.param(APACHE, marks=pytest.mark.long)])
def test_brokers_of_both_kinds_serve_under_a_controller_of_either(tmp_path, kafka_libs, controller):
    kinds = (controller, OURS, APACHE)
    with Nodes(
        tmp_path, roles=CONTROLLER_AND_BROKERS, kinds=kinds, libs=kafka_libs, settings=TWO_COPIES
    ) as nodes:
        for node_id in (2, 3):
            make_topic(nodes[node_id].bootstrap, f"through-{node_id}", 2, 2)
            until(partial(leaders, nodes.bootstrap, f"through-{node_id}"))
        with SteadyLoad(nodes.bootstrap, "through-2", 2) as load:
            load.more()
            assert sorted(leaders(nodes.bootstrap, "through-2")) == [2, 3]
            for node_id, other in ((2, 3), (3, 2)):
                nodes[node_id].stop()
                load.more()
                assert leaders(nodes[other].bootstrap, "through-2") == [other] * 2
                nodes[node_id].start()
                until(in_sync(nodes.bootstrap, "through-2", 2))
        assert load.verdict() == Verdict()


def test_voters_of_both_kinds_elect_each_other_and_nodes_change_their_kind(tmp_path, kafka_libs):
    kinds = (APACHE, OURS, OURS)
    with Nodes(tmp_path, kinds=kinds, libs=kafka_libs) as nodes:
        make_topic(nodes.bootstrap, "orders", 3, 3)
        with SteadyLoad(nodes.bootstrap, "orders", 3) as load:
            load.more()
            for node_id, kind in ((2, APACHE), (1, OURS)):
                nodes.change(node_id, kind)
                load.more()
                until(in_sync(nodes.bootstrap, "orders", 3))
            prefer_first_replicas(admin(nodes.bootstrap))
            load.more()
            assert sorted(leaders(nodes.bootstrap, "orders")) == [1, 2, 3]
        assert load.verdict() == Verdict()


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("end", ["stop", "kill"])
@pytest.mark.parametrize(("first", "other"), [(APACHE, OURS), (OURS, APACHE)])
def test_a_cluster_of_either_kind_is_replaced_under_load_and_put_back(
    tmp_path, kafka_libs, first, other, end
):
    roll = [(1, other), (2, other), (3, other), (3, first), (2, first), (1, first)]
    with Nodes(tmp_path, kinds=[first] * 3, libs=kafka_libs) as nodes:
        make_topic(nodes.bootstrap, "orders", 3, 3)
        make_topic(nodes.bootstrap, "ledger", 3, 3)
        with (
            GroupReader(nodes.bootstrap, "orders", "readers") as group,
            SteadyLoad(nodes.bootstrap, "orders", 3) as load,
            TransactionLoad(nodes.bootstrap, "ledger", 3) as ledger,
        ):
            for node_id, kind in roll:
                getattr(nodes[node_id], end)()
                load.more()
                nodes.change(node_id, kind)
                load.more()
                ledger.more()
                until(in_sync(nodes.bootstrap, "orders", 3))
            group.wait_for(list(load.acknowledged))
        assert load.verdict() == Verdict()
        assert ledger.verdict() == []
