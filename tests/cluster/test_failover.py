"""Nodes of a cluster are killed, and the others go on."""

from __future__ import annotations

from functools import partial

import pytest
from confluent_kafka import Producer

from tests.cluster.asking import TIMEOUT_S, admin, leaders, make_topic, until
from tests.cluster.nodes import Nodes


@pytest.mark.parametrize("victim", [1, *(pytest.param(n, marks=pytest.mark.long) for n in (2, 3))])
def test_whichever_node_is_killed_the_others_take_topics_and_records(tmp_path, victim):
    with Nodes(tmp_path) as nodes:
        make_topic(nodes.bootstrap, "before", 3, 3)
        nodes[victim].kill()
        rest = ",".join(node.bootstrap for node in nodes if node.is_up)
        until(lambda: victim not in leaders(rest, "before"))
        make_topic(rest, "after", 2, 2)
        failed: list[object] = []
        producer = Producer({"bootstrap.servers": rest, "acks": "all"})
        for part in range(3):
            producer.produce(
                "before", b"x", partition=part, on_delivery=lambda error, _: failed.append(error)
            )
        assert producer.flush(TIMEOUT_S) == 0
        assert failed == [None] * 3
        nodes[victim].start()
        until(lambda: len(admin(nodes[victim].bootstrap).list_topics(timeout=9).brokers) == 3)


def test_brokers_and_controllers_may_be_processes_of_their_own(tmp_path):
    with Nodes(tmp_path, roles=["controller", "broker", "broker"]) as nodes:
        make_topic(nodes.bootstrap, "before", 2, 2)
        for node in (nodes[2], nodes[3]):
            until(partial(leaders, node.bootstrap, "before"))
        nodes[1].kill()
        assert sorted(leaders(nodes.bootstrap, "before")) == [2, 3]
        nodes[1].start()
        make_topic(nodes.bootstrap, "after", 2, 2)
        until(lambda: sorted(leaders(nodes[2].bootstrap, "after")) == [2, 3])
