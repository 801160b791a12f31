"""Several nodes on this machine: their settings and their directories.

Every node is broker and controller, and has a directory `node-I` beside the properties file from
which `moldau start --config` starts it. Topics have as many replicas as Apache Kafka recommends,
as far as there are nodes: three, of which two must be in sync.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from moldau.broker.log.directory.meta_properties import read_meta_properties
from moldau.broker.node.defaults import HOST, alone
from moldau.broker.node.format_plan import FormatOptions, plan_format
from moldau.broker.node.formatting import Formatter
from moldau.broker.node.server_properties import node_settings
from moldau.config.broker.listeners import PORT_MAX
from moldau.config.refusals import SettingError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files, replace_whole
from moldau.platform.ports.randomness import Random
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.uuids import new_uuid, uuid_text

__all__ = ["NODES_MAX", "PlannedNode", "Ports", "plan_nodes", "ports_in_a_row", "prepare_nodes"]

NODES_MAX = 99
CONTROLLER_PORTS = 10_000
"""How far above its clients' port a node's controller listens; below where that is no port."""
REPLICAS = 3
IN_SYNC = 2


@dataclass(frozen=True, slots=True)
class PlannedNode:
    """One of the nodes of `--nodes`."""

    node_id: int
    address: str
    """For clients."""
    data: str
    """Its directory."""
    settings: Mapping[str, str]

    @property
    def listening(self) -> list[str]:
        """HOST:PORT of each listener."""
        listeners = self.settings["listeners"].split(",")
        return [listener.partition("://")[2] for listener in listeners]

    @property
    def properties_path(self) -> str:
        return f"{self.data}.properties"

    @property
    def properties(self) -> str:
        """The file, as `moldau start --config` and Kafka read it."""
        return "".join(f"{name}={value}\n" for name, value in self.settings.items())


class Ports(NamedTuple):
    """Where one node listens."""

    clients: int
    controller: int


def ports_in_a_row(count: int, first: int) -> list[Ports]:
    """From the first one on, with each node's controller 10,000 above."""
    if not 1 <= first <= PORT_MAX - count + 1:
        raise SettingError(
            f"{count} nodes need {count} ports in a row from {first}; ports are 1 to {PORT_MAX}"
        )
    return [Ports(port, _controller_port(port)) for port in range(first, first + count)]


def plan_nodes(
    places: Sequence[Ports], data: str, assigned: Mapping[str, str], *, racks: bool = False
) -> list[PlannedNode]:
    """What each node is started with; `assigned` are settings for all of them, and win."""
    voters = ",".join(f"{node_id}@{HOST}:{at.controller}" for node_id, at in enumerate(places, 1))
    together = {"controller.quorum.voters": voters, **dict(_replicas(len(places)))}
    return [
        _planned(node_id, data, at, {**together, **_rack(node_id, racks=racks), **assigned})
        for node_id, at in enumerate(places, 1)
    ]


def prepare_nodes(
    planned: Sequence[PlannedNode], files: Files, clock: Clock, random: Random
) -> None:
    """Write each node's settings, and format the directories that are new, for one cluster."""
    cluster_id = _cluster_id(planned, files) or uuid_text(new_uuid(random))
    formatter = Formatter(files, clock, random, lambda _: None)
    for node in planned:
        settings = node_settings(node.settings)
        plan = plan_format(settings, FormatOptions(cluster_id=cluster_id), random)
        formatter.format(settings, plan, ignore_formatted=True)
        replace_whole(files, node.properties_path, node.properties.encode())


def _cluster_id(planned: Sequence[PlannedNode], files: Files) -> str | None:
    """Of the first node that was here before."""
    for node in planned:
        properties = read_meta_properties(files, node.data)
        if properties is not None and properties.cluster_id is not None:
            return properties.cluster_id
    return None


def _planned(node_id: int, data: str, at: Ports, others: Mapping[str, str]) -> PlannedNode:
    directory = f"{data}/node-{node_id}"
    own = {
        "node.id": str(node_id),
        "listeners": f"PLAINTEXT://{HOST}:{at.clients},CONTROLLER://{HOST}:{at.controller}",
    }
    settings = {**alone(directory), **own, **others}
    return PlannedNode(node_id, f"{HOST}:{at.clients}", directory, settings)


def _rack(node_id: int, *, racks: bool) -> Mapping[str, str]:
    return {"broker.rack": f"rack-{node_id}"} if racks else {}


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


def _controller_port(port: int) -> int:
    above = port + CONTROLLER_PORTS
    return above if above <= PORT_MAX else port - CONTROLLER_PORTS
