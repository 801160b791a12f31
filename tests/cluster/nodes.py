"""Several nodes of ours as people run them: processes of their own, on loopback, in one cluster.

    with Nodes(folder, 3) as nodes:          formatted, started, all of them ready
        nodes.bootstrap                      of all nodes, for clients
        nodes[2].kill()                      as a power loss does to a process
        nodes[2].start()

    with Nodes(folder, kinds=(APACHE, OURS, OURS), libs=kafka_libs) as nodes:
        nodes.change(2, APACHE)              stops, and goes on as Apache Kafka where it lies

Node `n` is `nodes[n]`, from 1. Every node is broker and controller; `roles` says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from tests.judges.kafka_node import HOST, KafkaNode, free_ports
from tests.judges.moldau_node import MoldauNode

__all__ = ["APACHE", "BOTH", "OURS", "Node", "Nodes", "NodesById"]

Node = MoldauNode | KafkaNode
AnyNode = TypeVar("AnyNode", bound=Node)
OURS, APACHE = "moldau", "apache"
BOTH = "broker,controller"
DISKS = ("YSB2b3RlcidzIGRpc2sgMQ", "YSB2b3RlcidzIGRpc2sgMg", "YSB2b3RlcidzIGRpc2sgMw")
"""The directory ids of the first controllers, where they are named before they are formatted."""
CLUSTER = {
    "offsets.topic.replication.factor": "3",
    "transaction.state.log.replication.factor": "3",
    "transaction.state.log.min.isr": "2",
    "share.coordinator.state.topic.replication.factor": "3",
    "share.coordinator.state.topic.min.isr": "2",
    "default.replication.factor": "3",
    "min.insync.replicas": "2",
}


class NodesById(Generic[AnyNode]):
    """Nodes in a row, of which the first has the id 1."""

    _nodes: list[AnyNode]

    def __getitem__(self, node_id: int) -> AnyNode:
        return self._nodes[node_id - 1]

    def __iter__(self) -> Iterator[AnyNode]:
        return iter(self._nodes)

    def __len__(self) -> int:
        return len(self._nodes)


class Nodes(NodesById[Node]):
    """See the head of the file."""

    def __init__(
        self,
        folder: Path,
        count: int = 3,
        *,
        roles: Sequence[str] | None = None,
        settings: Mapping[str, str] | None = None,
        kinds: Sequence[str] | None = None,
        libs: Path | None = None,
        dynamic: Sequence[str] | None = None,
        own: Sequence[Mapping[str, str]] = (),
        shows_metrics: bool = False,
    ) -> None:
        self.roles = list(roles or [BOTH] * count)
        self.kinds = list(kinds or [OURS] * len(self.roles))
        """What each of them is: `OURS`, or `APACHE`, of which `libs` has the jars."""
        self.dynamic = dynamic
        """Where the voters stand in the log: how each node is formatted."""
        self._folder, self._more, self._libs = folder, settings or {}, libs
        self._own = own
        """Settings of each of them; `{folder}` stands for where it lies."""
        ports = free_ports(2 * len(self.roles))
        self._client_ports, self._controller_ports = ports[::2], ports[1::2]
        self.metrics_ports = free_ports(len(self.roles)) if shows_metrics else []
        """Where each node of ours has its page, if that is wanted."""
        self._nodes = [self._make(index) for index in range(len(self.roles))]

    def __repr__(self) -> str:
        return f"Nodes({', '.join(map(repr, self._nodes))})"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    @property
    def bootstrap(self) -> str:
        """Where clients connect: every broker."""
        places = (
            f"{HOST}:{port}"
            for port, roles in zip(self._client_ports, self.roles, strict=True)
            if "broker" in roles
        )
        return ",".join(places)

    @property
    def controllers(self) -> str:
        """Where controllers are asked."""
        return ",".join(voter.partition("@")[2] for voter in self._voters)

    def start(self) -> None:
        """All at once; return when every one of them is ready."""
        try:
            for node in self._nodes:
                node.begin()
            for node in self._nodes:
                node.wait_ready()
        except BaseException:
            self.kill()
            raise

    def change(self, node_id: int, kind: str) -> Node:
        """It stops in order, and another program goes on with its settings and its directories."""
        if self[node_id].is_up:
            self[node_id].stop()
        self.kinds[node_id - 1] = kind
        self._nodes[node_id - 1] = self._make(node_id - 1)
        self[node_id].start()
        return self[node_id]

    def kill(self) -> None:
        for node in self._nodes:
            node.kill()

    @property
    def _voters(self) -> list[str]:
        return [
            f"{index + 1}@{HOST}:{port}"
            for index, port in enumerate(self._controller_ports)
            if "controller" in self.roles[index]
        ]

    def controller(self, node_id: int) -> str:
        """Where this node listens for other controllers."""
        return f"{HOST}:{self._controller_ports[node_id - 1]}"

    def _quorum(self) -> dict[str, str]:
        if self.dynamic is None:
            return {"controller.quorum.voters": ",".join(self._voters)}
        return {
            "controller.quorum.voters": "",
            "controller.quorum.bootstrap.servers": self.controllers,
        }

    def _formatting(self, words: str) -> list[str]:
        """`{voters}` stands for all controllers, each with the disk that it gets."""
        voters = zip(self._voters, DISKS, strict=False)
        return words.format(voters=",".join(f"{voter}:{disk}" for voter, disk in voters)).split()

    def _make(self, index: int) -> Node:
        home = self._folder / f"node-{index + 1}"
        home.mkdir(parents=True, exist_ok=True)
        settings = self._settings(index)
        ports = (self._client_ports[index], self._controller_ports[index])
        words = [] if self.dynamic is None else self._formatting(self.dynamic[index])
        if self.kinds[index] == OURS:
            shown = [f"--metrics-port={port}" for port in self.metrics_ports[index : index + 1]]
            return MoldauNode(
                home, settings=settings, ports=ports, format_with=words, start_with=shown
            )
        assert self._libs is not None
        return KafkaNode(self._libs, home, settings=settings, ports=ports, format_with=words)

    def _settings(self, index: int) -> dict[str, str]:
        roles = self.roles[index]
        listeners = {
            "broker": f"PLAINTEXT://{HOST}:{self._client_ports[index]}",
            "controller": f"CONTROLLER://{HOST}:{self._controller_ports[index]}",
        }
        return {
            **CLUSTER,
            "node.id": str(index + 1),
            "process.roles": roles,
            "listeners": ",".join(listeners[role] for role in roles.split(",")),
            **self._quorum(),
            **self._more,
            **self._own_settings(index),
        }

    def _own_settings(self, index: int) -> dict[str, str]:
        own = self._own[index] if self._own else {}
        folder = str(self._folder / f"node-{index + 1}")
        return {name: value.replace("{folder}", folder) for name, value in own.items()}
