"""`moldau cluster`: its id, where its nodes listen, and brokers that are gone for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moldau.client.errors import UnsupportedVersionError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import (
    BOOTSTRAP,
    COMMAND_CONFIG,
    CONTROLLERS,
    DRY_RUN,
    admin_of,
)
from moldau.programs.tools.kafka.flags import OUTPUT, Flag, Given, Takes, WrongUsageError
from moldau.programs.tools.kafka.subcommands import Action, Actions
from moldau.programs.tools.kafka.tool import ToolFailedError

if TYPE_CHECKING:
    from moldau.client.admin import Admin, ClusterNode

__all__ = ["FLAGS", "SUBCOMMANDS", "run"]

RACK_WIDTH_MIN = 10
NO_RACK = "null"

FLAGS = (
    OUTPUT,
    BOOTSTRAP,
    CONTROLLERS,
    COMMAND_CONFIG,
    Flag("config", "", Takes.TEXT, "FILE", instead=COMMAND_CONFIG.name),
)
PLACES = (
    ("b", BOOTSTRAP.name),
    ("C", CONTROLLERS.name),
    ("c", COMMAND_CONFIG.name),
)
SUBCOMMANDS = Actions(
    (
        Action("cluster-id", "Show the id of the cluster.", letters=PLACES),
        Action(
            "unregister",
            "Forget a broker that will never come back.",
            (Flag("id", "The broker.", Takes.INT), DRY_RUN),
            ("id",),
            (*PLACES, ("i", "id")),
        ),
        Action(
            "list-endpoints",
            "Show where nodes listen.",
            (Flag("include-fenced-brokers", "Brokers that are fenced too."),),
            letters=PLACES,
        ),
    ),
    "kafka-cluster: error: {}",
)


def run(given: Given, world: World) -> int:
    if not given.has(BOOTSTRAP.name) and not given.has(CONTROLLERS.name):
        wrong = "one of the arguments --bootstrap-server/-b --bootstrap-controller/-C is required"
        raise WrongUsageError(SUBCOMMANDS.complaint.format(wrong))
    with admin_of(given, world) as admin:
        if given.action == "cluster-id":
            cluster_id = admin.describe_cluster().cluster_id
            if not world.takes(["CLUSTER-ID"], [[cluster_id]]):
                print(f"Cluster ID: {cluster_id}", file=world.out)
        elif given.action == "unregister":
            _unregister(given, admin, world)
        else:
            _list(given, admin, world)
    return 0


def _unregister(given: Given, admin: Admin, world: World) -> None:
    broker = given.number("id") or 0
    if given.has(DRY_RUN.name):
        print(f"DRY RUN of unregistering broker {broker}", file=world.out)
        return
    try:
        admin.unregister_broker(broker)
    except UnsupportedVersionError:
        raise ToolFailedError(
            "The target cluster does not support the broker unregistration API."
        ) from None
    print(f"Broker {broker} is no longer registered.", file=world.out)


def _list(given: Given, admin: Admin, world: World) -> None:
    fenced = given.has("include-fenced-brokers")
    controllers = given.has(CONTROLLERS.name)
    if fenced and controllers:
        raise ToolFailedError(
            "The option --include-fenced-brokers is only supported with --bootstrap-server option"
        )
    nodes = admin.describe_cluster(fenced_brokers=fenced).nodes
    kind = "controller" if controllers else "broker"
    rows = [
        (node.node_id, node.host, node.port, node.rack or None, _state(node), kind)
        for node in nodes
    ]
    if world.takes(HEADS, rows):
        return
    hosts = max((len(node.host) for node in nodes), default=1)
    racks = max((len(node.rack) for node in nodes if node.rack), default=RACK_WIDTH_MIN)
    state = "" if controllers else " {4:<10}"
    line = f"{{0:<10}} {{1:<{hosts}}} {{2:<10}} {{3:<{racks}}}{state} {{5:<15}}"
    print(line.format(*HEADS), file=world.out)
    for number, host, port, rack, state, kind in rows:
        print(line.format(number, host, port, rack or NO_RACK, state, kind), file=world.out)


HEADS = ("ID", "HOST", "PORT", "RACK", "STATE", "ENDPOINT_TYPE")


def _state(node: ClusterNode) -> str:
    return "fenced" if node.is_fenced else "unfenced"
