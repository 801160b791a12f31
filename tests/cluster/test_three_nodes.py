"""Three nodes, each a process of its own, are one cluster."""

from __future__ import annotations

import pytest
from confluent_kafka.admin import NewTopic

from tests.cluster.asking import admin, until
from tests.cluster.nodes import Nodes

TIMEOUT_S = 30


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    with Nodes(tmp_path_factory.mktemp("nodes")) as started:
        yield started


def test_a_topic_can_be_created_through_any_node_and_all_know_it(nodes):
    made = [f"through-{number}" for number in range(1, 4)]
    for name, node in zip(made, nodes, strict=True):
        asking = admin(node.bootstrap)
        asking.create_topics([NewTopic(name, 3, 3)])[name].result(TIMEOUT_S)
    seen = admin(nodes[1].bootstrap).list_topics(timeout=TIMEOUT_S).topics
    leaders = [part.leader for part in seen[made[0]].partitions.values()]
    assert set(made) <= seen.keys()
    assert sorted(leaders) == [1, 2, 3]


def test_every_node_names_the_same_brokers(nodes):
    asking = [admin(node.bootstrap) for node in nodes]

    def described():
        return [one.describe_cluster(request_timeout=TIMEOUT_S).result() for one in asking]

    def named(answers):
        return [sorted(node.id for node in one.nodes) for one in answers]

    answers = until(lambda: found if named(found := described()) == [[1, 2, 3]] * 3 else None)
    assert len({one.cluster_id for one in answers}) == 1
