"""Three nodes that are compared as one side: what they spend is added up.

Each is broker and controller, internal topics have three replicas, and `min.insync.replicas` is 2.
Clients get the addresses of all; what is set up is asked of the first.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Final

from bench.versus.asking import POLL_S, AskingError, Connection
from bench.versus.kinds import Node
from bench.versus.processes import SetupError
from bench.versus.sides import START_TIMEOUT_S, Side

REPLICAS: Final = 3


class Cluster(Side):
    """Several nodes, formatted and not started."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        first = nodes[0]
        self.nodes = tuple(nodes)
        self.folder, self.data = first.folder.parent, first.data
        self.port, self.name, self.is_ours = first.port, first.name, first.is_ours

    def node(self, node_id: int) -> Node:
        return self.nodes[node_id - 1]

    @property
    def bootstrap(self) -> str:
        return ",".join(node.bootstrap for node in self.nodes)

    @property
    def is_up(self) -> bool:
        return all(node.is_up for node in self.nodes)

    def start(self) -> float:
        """All at once; the seconds until every one of them is named by every one."""
        began_s = time.monotonic()
        for node in self.nodes:
            node.begin()
        for node in self.nodes:
            while not _knows(node, len(self.nodes)):
                if not self.is_up or time.monotonic() - began_s > START_TIMEOUT_S:
                    self.kill()
                    raise SetupError(f"{node.name} did not start: {node.last_words()}")
                time.sleep(POLL_S)
        return time.monotonic() - began_s

    def stop(self) -> None:
        for node in self.nodes:
            node.stop()

    def kill(self) -> None:
        for node in self.nodes:
            node.kill()

    def cpu_s(self) -> float:
        return sum(node.cpu_s() for node in self.nodes if node.is_up)

    def memory_mb(self) -> float:
        return sum(node.memory_mb() for node in self.nodes if node.is_up)

    def create_topic(
        self, name: str, partitions: int, settings: Mapping[str, str] | None = None
    ) -> None:
        """Replicated to all, which lead in turn."""
        ids = [node.place.node_id for node in self.nodes]
        turns = (index % len(ids) for index in range(partitions))
        self.create_placed(name, [ids[turn:] + ids[:turn] for turn in turns], settings)

    def create_placed(
        self,
        name: str,
        places: Sequence[Sequence[int]],
        settings: Mapping[str, str] | None = None,
    ) -> None:
        """With these replicas for each partition; return when every node has all in sync."""
        with Connection(self.port) as connection:
            connection.create_placed(name, places, settings or {})
        for node in self.nodes:
            with Connection(node.port) as connection:
                connection.await_in_sync(name, len(places), len(places[0]))


def _knows(node: Node, count: int) -> bool:
    try:
        with Connection(node.port) as connection:
            return connection.brokers() == count
    except (OSError, AskingError):
        return False
