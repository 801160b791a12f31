"""Nodes for the tests of programs: one inside the program, or a cluster of processes.

    async with moldau.testing.Node() as node:
        producer = AIOKafkaProducer(bootstrap_servers=node.bootstrap)

    with moldau.testing.Cluster(nodes=3) as cluster:
        cluster.kill(1)

Owns how they are started and ended, and what fails on request. Whatever client the program uses, it
gets `bootstrap` and needs nothing else from here.

In a project of pytest, `pytest_plugins = ["moldau.testing.fixtures"]` brings them as fixtures.

`node.faults` delays, refuses or cuts off requests of an API on request (`faults`), and `node.disk`
is a slow or a full disk (`disk`).

Reading order: moved_clock, lasting, faults, disk, node, cuts, cluster, fixtures.
"""

from typing import TYPE_CHECKING

from moldau.testing.disk import DiskFault
from moldau.testing.faults import Fault, Faults
from moldau.testing.lasting import UnknownFaultError
from moldau.testing.node import AlreadyStartedError, Node, NotStartedError

if TYPE_CHECKING:
    from moldau.testing.cluster import Cluster, ClusterFailedError

__all__ = [
    "AlreadyStartedError",
    "Cluster",
    "ClusterFailedError",
    "DiskFault",
    "Fault",
    "Faults",
    "Node",
    "NotStartedError",
    "UnknownFaultError",
]


def __getattr__(name: str) -> object:
    """Import the cluster with its first use: a single node starts without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from moldau.testing import cluster

    found: object = getattr(cluster, name)
    return found
