"""The settings of several nodes on this machine, as `moldau start --nodes N` makes them.

Every node is broker and controller, and has a directory `node-I` with its server.properties, from
which `moldau start --config` starts it alone as well. Clients reach node I on the first port plus
I - 1; its controller listens 10,000 above. Topics have as many replicas as Apache Kafka recommends,
as far as there are nodes: three, of which two must be in sync.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from moldau.broker.node.defaults import HOST, alone
from moldau.config.broker.listeners import PORT_MAX
from moldau.config.refusals import SettingError
from moldau.platform.quick_dataclass import dataclass

__all__ = ["NODES_MAX", "PlannedNode", "plan_nodes"]

NODES_MAX = 99
CONTROLLER_PORTS = 10_000
"""How far above its clients' port a node's controller listens; below where that is no port."""
REPLICAS = 3
IN_SYNC = 2


@dataclass(frozen=True, slots=True)
class PlannedNode:
    """One of the nodes."""

    node_id: int
    address: str
    """For clients."""
    data: str
    """Its directory."""
    settings: Mapping[str, str]

    @property
    def properties_path(self) -> str:
        return f"{self.data}.properties"

    @property
    def properties(self) -> str:
        """The file, as `moldau start --config` and Kafka read it."""
        return "".join(f"{name}={value}\n" for name, value in self.settings.items())


def plan_nodes(
    count: int, data: str, port: int, assigned: Mapping[str, str], *, racks: bool = False
) -> list[PlannedNode]:
    """What each node is started with; `assigned` are settings for all of them, and win."""
    if not 1 <= port <= PORT_MAX - count + 1:
        raise SettingError(
            f"{count} nodes need {count} ports in a row from {port}; ports are 1 to {PORT_MAX}"
        )
    ids = range(1, count + 1)
    voters = ",".join(f"{node_id}@{HOST}:{_controller_port(port, node_id)}" for node_id in ids)
    together = {"controller.quorum.voters": voters, **dict(_replicas(count))}
    return [_planned(node_id, data, port, together, assigned, racks=racks) for node_id in ids]


def _planned(
    node_id: int,
    data: str,
    port: int,
    together: Mapping[str, str],
    assigned: Mapping[str, str],
    *,
    racks: bool,
) -> PlannedNode:
    directory = f"{data}/node-{node_id}"
    client_port = port + node_id - 1
    own = {
        "node.id": str(node_id),
        "listeners": f"PLAINTEXT://{HOST}:{client_port},"
        f"CONTROLLER://{HOST}:{_controller_port(port, node_id)}",
    }
    rack = {"broker.rack": f"rack-{node_id}"} if racks else {}
    settings = {**alone(directory), **own, **together, **rack, **assigned}
    return PlannedNode(node_id, f"{HOST}:{client_port}", directory, settings)


def _replicas(count: int) -> Iterator[tuple[str, str]]:
    """Of topics, Kafka's own among them."""
    replicas, in_sync = str(min(REPLICAS, count)), str(min(IN_SYNC, max(count - 1, 1)))
    for name in (
        "default.replication.factor",
        "offsets.topic.replication.factor",
        "transaction.state.log.replication.factor",
        "share.coordinator.state.topic.replication.factor",
    ):
        yield name, replicas
    for name in (
        "min.insync.replicas",
        "transaction.state.log.min.isr",
        "share.coordinator.state.topic.min.isr",
    ):
        yield name, in_sync


def _controller_port(port: int, node_id: int) -> int:
    clients = port + node_id - 1
    above = clients + CONTROLLER_PORTS
    return above if above <= PORT_MAX else clients - CONTROLLER_PORTS
