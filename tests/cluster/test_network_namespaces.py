"""Three nodes on hosts of their own lose packets between them, and nothing that was acknowledged.

Each node in turn is cut off from the other nodes, from the clients alone, from both, or one way
only, while an idempotent producer writes. Connections stay open through it, so nodes and clients
have nothing but silence to go by.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product

import pytest

from tests.cluster.asking import admin, leaders, make_topic, until
from tests.cluster.namespaces import Hosts, NotPermittedError
from tests.cluster.nodes import BOTH, CLUSTER
from tests.cluster.steady_load import SteadyLoad, Verdict
from tests.judges.moldau_node import MoldauNode

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

NODES = ("n1", "n2", "n3")
CLIENTS = "clients"
CLIENT_PORT, CONTROLLER_PORT = 9092, 9093
PARTITIONS = 3
CUT_S = 6.0
"""Sessions of regular brokers end after 2 s of silence, and so does a controller's leadership."""
Way = tuple[str, str]
"""Who sends, and who receives."""


class NodesOnHosts:
    """Three nodes, each in a namespace, and this thread where the clients are."""

    def __init__(self, hosts: Hosts, nodes: list[MoldauNode]) -> None:
        self.hosts = hosts
        self.nodes = nodes

    @property
    def bootstrap(self) -> str:
        return ",".join(map(self.address, NODES))

    def address(self, name: str) -> str:
        return f"{self.hosts.address(name)}:{CLIENT_PORT}"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[NodesOnHosts]:
    with ExitStack() as stack:
        hosts = Hosts([*NODES, CLIENTS])
        try:
            stack.enter_context(hosts)
        except (NotPermittedError, OSError) as error:
            pytest.skip(f"network namespaces cannot be made here: {error}")
        folder = tmp_path_factory.mktemp("hosts")
        nodes = []
        for name in NODES:
            (folder / name).mkdir()
            node = MoldauNode(
                folder / name, settings=settings(hosts, name), run_within=hosts.within(name)
            )
            stack.callback(node.kill)
            nodes.append(node)
            node.begin()
        for node in nodes:
            node.wait_ready()
        stack.enter_context(hosts.entered(CLIENTS))
        yield NodesOnHosts(hosts, nodes)


def settings(hosts: Hosts, name: str) -> dict[str, str]:
    host = hosts.address(name)
    voters = [
        f"{node_id}@{hosts.address(one)}:{CONTROLLER_PORT}" for node_id, one in enumerate(NODES, 1)
    ]
    return {
        **CLUSTER,
        "node.id": str(NODES.index(name) + 1),
        "process.roles": BOTH,
        "listeners": f"PLAINTEXT://{host}:{CLIENT_PORT},CONTROLLER://{host}:{CONTROLLER_PORT}",
        "controller.quorum.voters": ",".join(voters),
    }


def others(victim: str) -> list[str]:
    return [name for name in NODES if name != victim]


def from_nodes(victim: str) -> list[Way]:
    return [*what_it_sends(victim), *what_it_is_sent(victim)]


def from_clients(victim: str) -> list[Way]:
    return [(victim, CLIENTS), (CLIENTS, victim)]


def from_all(victim: str) -> list[Way]:
    return [*from_nodes(victim), *from_clients(victim)]


def what_it_sends(victim: str) -> list[Way]:
    return list(product([victim], others(victim)))


def what_it_is_sent(victim: str) -> list[Way]:
    return list(product(others(victim), [victim]))


def what_it_answers_clients(victim: str) -> list[Way]:
    return [(victim, CLIENTS)]


LOSES_LEADERS = (from_nodes, from_all, what_it_sends, what_it_is_sent)
KEEPS_LEADERS = (from_clients, what_it_answers_clients)


@pytest.mark.parametrize("ways_of", LOSES_LEADERS, ids=lambda ways_of: ways_of.__name__)
def test_a_node_cut_off_from_the_others_leads_nothing_and_loses_nothing(cluster, ways_of):
    with load_on(cluster, ways_of.__name__) as load:
        for node_id, victim in enumerate(NODES, 1):
            cut(cluster, ways_of(victim))
            elsewhere = cluster.address(others(victim)[0])
            until(lambda: node_id not in leaders(elsewhere, load.topic))  # noqa: B023  # called here
            time.sleep(CUT_S)
            heal(cluster, load)
    assert_whole(load)


@pytest.mark.parametrize("ways_of", KEEPS_LEADERS, ids=lambda ways_of: ways_of.__name__)
def test_a_node_cut_off_from_the_clients_leads_on_and_loses_nothing(cluster, ways_of):
    with load_on(cluster, ways_of.__name__) as load:
        for victim in NODES:
            elsewhere = cluster.address(others(victim)[0])
            before = leaders(elsewhere, load.topic)
            cut(cluster, ways_of(victim))
            time.sleep(CUT_S)
            assert leaders(elsewhere, load.topic) == before
            heal(cluster, load)
    assert_whole(load)


def load_on(cluster: NodesOnHosts, topic: str) -> SteadyLoad:
    make_topic(cluster.bootstrap, topic, PARTITIONS, len(NODES))
    return SteadyLoad(cluster.bootstrap, topic, PARTITIONS)


def cut(cluster: NodesOnHosts, ways: list[Way]) -> None:
    for way in ways:
        cluster.hosts.cut(*way)


def heal(cluster: NodesOnHosts, load: SteadyLoad) -> None:
    """Return when all replicas are in sync again and the producer goes on."""
    cluster.hosts.heal()
    until(lambda: is_whole(cluster, load.topic))
    load.more()


def is_whole(cluster: NodesOnHosts, topic: str) -> bool:
    found = admin(cluster.bootstrap).list_topics(topic, timeout=60).topics[topic].partitions
    return all(len(part.isrs) == len(NODES) for part in found.values())


def assert_whole(load: SteadyLoad) -> None:
    assert load.verdict() == Verdict()
    print(f"{load.topic}: {len(load.acknowledged)} acknowledged, each there once and in order")
