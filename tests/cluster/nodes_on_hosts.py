"""Three nodes on hosts of their own, whose links can be cut, with clients on a fourth host.

    with nodes_on_hosts(folder) as nodes:    started, all of them ready; this thread is on the
        nodes.bootstrap                      clients' host, with threads and processes that it
        nodes.cut(from_all(2))               starts
        nodes.heal()

A way is a pair of who sends and who receives. The functions below have the ways of which a node is
cut off; `nodes[n]` is node `n`, from 1, and its host is `n1` to `n3`. Where network namespaces may
not be made, the test is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path

import pytest

from tests.cluster.namespaces import Hosts, NotPermittedError
from tests.cluster.nodes import BOTH, CLUSTER, NodesById
from tests.judges.moldau_node import MoldauNode

__all__ = [
    "ALL_WAYS",
    "NodesOnHosts",
    "Way",
    "from_all",
    "from_clients",
    "from_nodes",
    "nodes_on_hosts",
    "what_it_answers_clients",
    "what_it_is_sent",
    "what_it_sends",
]

NODES = ("n1", "n2", "n3")
CLIENTS = "clients"
CLIENT_PORT, CONTROLLER_PORT = 9092, 9093
Way = tuple[str, str]
"""Who sends, and who receives."""


class NodesOnHosts(NodesById[MoldauNode]):
    """See the head of the file."""

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        self._folder, self._more = folder, settings or {}
        self._hosts = Hosts([*NODES, CLIENTS])
        self._nodes: list[MoldauNode] = []

    def __repr__(self) -> str:
        return f"NodesOnHosts({self._hosts}; {', '.join(map(repr, self._nodes))})"

    @property
    def bootstrap(self) -> str:
        """Where clients connect: every node."""
        return ",".join(self.address(node_id) for node_id in range(1, len(NODES) + 1))

    def address(self, node_id: int) -> str:
        """Where clients find this node."""
        return f"{self._hosts.address(NODES[node_id - 1])}:{CLIENT_PORT}"

    def cut(self, ways: list[Way]) -> None:
        for way in ways:
            self._hosts.cut(*way)

    def heal(self) -> None:
        """All that was cut."""
        self._hosts.heal()

    def start(self, stack: ExitStack) -> None:
        """Return when all are ready; with `stack` they end, and this thread leaves their hosts."""
        stack.enter_context(self._hosts)
        for node_id, name in enumerate(NODES, 1):
            home = self._folder / name
            home.mkdir()
            node = MoldauNode(
                home, settings=self._settings(node_id), run_within=self._hosts.within(name)
            )
            stack.callback(node.kill)
            self._nodes.append(node)
            node.begin()
        for node in self._nodes:
            node.wait_ready()
        stack.enter_context(self._hosts.entered(CLIENTS))

    def _settings(self, node_id: int) -> dict[str, str]:
        host = self._hosts.address(NODES[node_id - 1])
        voters = [
            f"{one}@{self._hosts.address(name)}:{CONTROLLER_PORT}"
            for one, name in enumerate(NODES, 1)
        ]
        return {
            **CLUSTER,
            "node.id": str(node_id),
            "process.roles": BOTH,
            "listeners": f"PLAINTEXT://{host}:{CLIENT_PORT},CONTROLLER://{host}:{CONTROLLER_PORT}",
            "controller.quorum.voters": ",".join(voters),
            **self._more,
        }


@contextmanager
def nodes_on_hosts(
    folder: Path, settings: Mapping[str, str] | None = None
) -> Iterator[NodesOnHosts]:
    """See the head of the file."""
    with ExitStack() as stack:
        try:
            nodes = NodesOnHosts(folder, settings)
            nodes.start(stack)
        except (NotPermittedError, OSError) as error:
            pytest.skip(f"network namespaces cannot be made here: {error}")
        yield nodes


def from_nodes(victim: int) -> list[Way]:
    return [*what_it_sends(victim), *what_it_is_sent(victim)]


def from_clients(victim: int) -> list[Way]:
    return [*what_it_answers_clients(victim), (CLIENTS, NODES[victim - 1])]


def from_all(victim: int) -> list[Way]:
    return [*from_nodes(victim), *from_clients(victim)]


def what_it_sends(victim: int) -> list[Way]:
    """To the other nodes."""
    return list(product([NODES[victim - 1]], _others(victim)))


def what_it_is_sent(victim: int) -> list[Way]:
    """By the other nodes."""
    return list(product(_others(victim), [NODES[victim - 1]]))


def what_it_answers_clients(victim: int) -> list[Way]:
    return [(NODES[victim - 1], CLIENTS)]


def _others(victim: int) -> list[str]:
    return [name for node_id, name in enumerate(NODES, 1) if node_id != victim]


ALL_WAYS = (
    from_all, from_clients, from_nodes, what_it_answers_clients, what_it_is_sent, what_it_sends,
)  # fmt: skip
