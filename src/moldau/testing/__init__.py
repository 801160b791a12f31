"""Nodes for the tests of programs: one inside the program, or a cluster of processes.

    async with moldau.testing.Node() as node:
        producer = AIOKafkaProducer(bootstrap_servers=node.bootstrap)

    with moldau.testing.Cluster(nodes=3) as cluster:
        cluster.kill(1)

Owns how they are started and ended, and what fails on request. Whatever client the program uses, it
gets `bootstrap` and needs nothing else from here.

Where Moldau is installed pytest finds them as fixtures by itself. It loads that module at every
start, whatever is tested there: so a name is loaded here when it is first asked for.

`node.faults` delays, refuses or cuts off requests of an API on request (`faults`), and `node.disk`
is a slow or a full disk (`disk`).

Reading order: moved_clock, lasting, faults, disk, node, cuts, cluster, fixtures.
"""

from typing import TYPE_CHECKING

from moldau.platform.lazy_names import lazy_names

if TYPE_CHECKING:
    from moldau.testing.cluster import Cluster, ClusterFailedError
    from moldau.testing.disk import DiskFault
    from moldau.testing.faults import Fault, Faults
    from moldau.testing.lasting import UnknownFaultError
    from moldau.testing.node import AlreadyStartedError, Node, NotStartedError
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "testing.cluster": "Cluster ClusterFailedError",
            "testing.disk": "DiskFault",
            "testing.faults": "Fault Faults",
            "testing.lasting": "UnknownFaultError",
            "testing.node": "AlreadyStartedError Node NotStartedError",
        },
    )

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
