"""Three nodes on hosts of their own lose packets between them, and nothing that was acknowledged.

Each node in turn is cut off from the other nodes, from the clients alone, from both, or one way
only, while an idempotent producer writes. Connections stay open through it, so nodes and clients
have nothing but silence to go by.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.cluster.asking import leaders, make_topic, until
from tests.cluster.nodes_on_hosts import (
    NodesOnHosts,
    from_all,
    from_clients,
    from_nodes,
    nodes_on_hosts,
    what_it_answers_clients,
    what_it_is_sent,
    what_it_sends,
)
from tests.cluster.steady_load import SteadyLoad, Verdict
from tests.cluster.test_mixed_clusters import in_sync

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

PARTITIONS = 3
CUT_S = 6.0
"""Sessions of regular brokers end after 2 s of silence, and so does a controller's leadership."""
LOSES_LEADERS = (from_nodes, from_all, what_it_sends, what_it_is_sent)
KEEPS_LEADERS = (from_clients, what_it_answers_clients)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[NodesOnHosts]:
    with nodes_on_hosts(tmp_path_factory.mktemp("hosts")) as nodes:
        yield nodes


@pytest.mark.parametrize("ways_of", LOSES_LEADERS, ids=lambda ways_of: ways_of.__name__)
def test_a_node_cut_off_from_the_others_leads_nothing_and_loses_nothing(cluster, ways_of):
    with load_on(cluster, ways_of.__name__) as load:
        for victim in range(1, len(cluster) + 1):
            elsewhere = cluster.address(other_than(cluster, victim))
            cluster.cut(ways_of(victim))
            until(lambda: victim not in leaders(elsewhere, load.topic))  # noqa: B023  # called here
            time.sleep(CUT_S)
            heal(cluster, load)
    assert_whole(load)


@pytest.mark.parametrize("ways_of", KEEPS_LEADERS, ids=lambda ways_of: ways_of.__name__)
def test_a_node_cut_off_from_the_clients_leads_on_and_loses_nothing(cluster, ways_of):
    with load_on(cluster, ways_of.__name__) as load:
        for victim in range(1, len(cluster) + 1):
            elsewhere = cluster.address(other_than(cluster, victim))
            before = leaders(elsewhere, load.topic)
            cluster.cut(ways_of(victim))
            time.sleep(CUT_S)
            assert leaders(elsewhere, load.topic) == before
            heal(cluster, load)
    assert_whole(load)


def other_than(cluster: NodesOnHosts, victim: int) -> int:
    return victim % len(cluster) + 1


def load_on(cluster: NodesOnHosts, topic: str) -> SteadyLoad:
    make_topic(cluster.bootstrap, topic, PARTITIONS, len(cluster))
    return SteadyLoad(cluster.bootstrap, topic, PARTITIONS)


def heal(cluster: NodesOnHosts, load: SteadyLoad) -> None:
    """Return when all replicas are in sync again and the producer goes on."""
    cluster.heal()
    until(in_sync(cluster.bootstrap, load.topic, len(cluster)))
    load.more()


def assert_whole(load: SteadyLoad) -> None:
    assert load.verdict() == Verdict()
    print(f"{load.topic}: {len(load.acknowledged)} acknowledged, each there once and in order")
