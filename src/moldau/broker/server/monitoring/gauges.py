"""What is looked up when metrics are read: the registry gets where to find it.

The tables in `figures` are imported by the first who reads metrics: most nodes in tests never are
asked, and need not pay for it when they start. What has to be seen as it happens is followed from
the beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import cast

from moldau.broker.metrics.recent import Share
from moldau.broker.metrics.registry import Reading, Registry
from moldau.broker.replica.upkeep import Upkeep
from moldau.broker.runtime.quorum_loop import MetadataQuorum
from moldau.broker.server.broker import Broker
from moldau.broker.server.connections import Connections
from moldau.broker.server.monitoring.figures.changes import Changes

__all__ = ["register_gauges"]

TABLES = "moldau.broker.server.monitoring.figures.catalogue"
LOOK = "moldau.broker.server.monitoring.figures.scrape"


def register_gauges(
    registry: Registry, broker: Broker, connections: Connections, upkeep: Upkeep | None
) -> None:
    """Once, when the node has made its parts."""
    changes = Changes(broker.node_id)
    quorum = broker.quorum
    assert isinstance(quorum, MetadataQuorum), quorum
    quorum.subscribe(changes.follow)
    idle = _idle_share(broker)
    registry.meter("kafka.server", "group-coordinator-metrics", "group-completed-rebalance-count")

    def read() -> Iterable[Reading]:
        scrape = import_module(LOOK).Scrape(broker, connections, upkeep, changes, idle())
        found = import_module(TABLES).read_all(scrape)
        return cast("Iterable[Reading]", found)

    registry.add_source(read)


def _idle_share(broker: Broker) -> Callable[[], float | None]:
    """What part of the time the loop waits, to be asked at every reading."""
    tasks, clock = broker.tasks, broker.clock
    share = Share(tasks.waited_ns() or 0, clock.monotonic_ns())

    def ask() -> float | None:
        waited_ns: int | None = tasks.waited_ns()
        return None if waited_ns is None else share.at(waited_ns, clock.monotonic_ns())

    return ask
