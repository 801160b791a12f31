"""What is looked up when metrics are read: the registry gets where to find it.

The tables in `figures` are imported when metrics are first read: most nodes in tests never are
asked, and need not pay for it when they start. What has to be seen as it happens is followed from
the beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from moldau.broker.metrics.kinds import Histogram, Meter
from moldau.broker.metrics.recent import Share
from moldau.broker.metrics.registry import Reading, Registry
from moldau.broker.replica.upkeep import Upkeep
from moldau.broker.runtime.quorum_loop import MetadataQuorum
from moldau.broker.server.broker import Broker
from moldau.broker.server.connections import Connections
from moldau.broker.server.login.counting import begin_counting
from moldau.broker.server.monitoring.figures.changes import Changes

if TYPE_CHECKING:
    from moldau.broker.server.monitoring.figures.scrape import Scrape

__all__ = ["Usage", "begin_counting_shares", "register_gauges", "verification_metrics"]

SHARE_FETCH_REQUESTS = "ShareFetchRequestsPerSec"
SHARE_ACKNOWLEDGE_REQUESTS = "ShareAcknowledgementRequestsPerSec"
SHARE_ACKNOWLEDGEMENTS = "RecordAcknowledgementsPerSec"
VERIFICATION_TIME, VERIFICATION_FAILURES = "VerificationTimeMs", "VerificationFailureRate"
US_TO_MS = 0.001
ACKNOWLEDGE_KINDS = ("Accept", "Release", "Reject", "Renew")
"""The class that has them is loaded by the first request."""

TABLES = "moldau.broker.server.monitoring.figures.catalogue"
RATES = "moldau.broker.metrics.rates"
FAMILIES = "moldau.broker.server.monitoring.families.table"
REMEMBERED = "moldau.broker.server.monitoring.figures.remembered"
LOOK = "moldau.broker.server.monitoring.figures.scrape"


class Usage(Protocol):
    """What a process takes of its machine."""

    def read(self) -> Mapping[str, float]:
        """By short names, those that the machine has."""
        ...


def register_gauges(
    registry: Registry,
    broker: Broker,
    connections: Connections,
    upkeep: Upkeep | None,
    make_usage: Callable[[], Usage] | None = None,
) -> None:
    """Once, when the node has made its parts; `make_usage` is called when they are first read."""
    changes = Changes(broker.node_id)
    quorum = broker.quorum
    assert isinstance(quorum, MetadataQuorum), quorum
    quorum.subscribe(changes.follow)
    idle, usage = _idle_share(broker), _usage(make_usage)
    began_ns = broker.clock.monotonic_ns()
    rates = cache(lambda: import_module(RATES).Rates(began_ns))
    remembered = cache(lambda: import_module(REMEMBERED).Remembered(broker.node_id))
    registry.meter("kafka.server", "group-coordinator-metrics", "group-completed-rebalance-count")
    begin_counting_shares(registry)
    verification_metrics(registry)
    begin_counting(registry, (one.name for one in broker.settings.listener_list))

    def look() -> Scrape:
        made: Scrape = import_module(LOOK).Scrape(
            broker, connections, upkeep, changes, idle(), usage(), rates(), remembered()
        )
        return made

    def read_of(scrape: Scrape) -> Iterable[Reading]:
        return cast("Iterable[Reading]", import_module(TABLES).read_all(scrape))

    def read_page() -> Iterator[Reading]:
        """Both by one look, which no other page has: several may be made at a time."""
        scrape = look()
        yield from read_of(scrape)
        yield from cast("Iterable[Reading]", import_module(FAMILIES).read_families(scrape))

    registry.add_source(lambda: read_of(look()), read_page)


def begin_counting_shares(metrics: Registry) -> None:
    """All are 0 at first, and are shown."""
    for name in (SHARE_FETCH_REQUESTS, SHARE_ACKNOWLEDGE_REQUESTS):
        metrics.meter("kafka.server", "BrokerTopicMetrics", f"Total{name}")
        metrics.meter("kafka.server", "BrokerTopicMetrics", f"Failed{name}")
    for kind in ACKNOWLEDGE_KINDS:
        metrics.meter("kafka.server", "ShareGroupMetrics", SHARE_ACKNOWLEDGEMENTS, ackType=kind)


def verification_metrics(metrics: Registry) -> tuple[Histogram, Meter]:
    """How long coordinators took to verify a transaction, and how many partitions they refused."""
    group, kind = "kafka.server", "AddPartitionsToTxnManager"
    times = metrics.histogram(group, kind, VERIFICATION_TIME, scale=US_TO_MS)
    return times, metrics.meter(group, kind, VERIFICATION_FAILURES)


def _usage(make: Callable[[], Usage] | None) -> Callable[[], Mapping[str, float]]:
    """What the process takes of its machine, to be asked at every reading."""
    if make is None:
        return dict
    made = cache(make)
    return lambda: made().read()


def _idle_share(broker: Broker) -> Callable[[], float | None]:
    """What part of the time the loop waits, to be asked at every reading."""
    tasks, clock = broker.tasks, broker.clock
    share = Share(tasks.waited_ns() or 0, clock.monotonic_ns())

    def ask() -> float | None:
        waited_ns: int | None = tasks.waited_ns()
        return None if waited_ns is None else share.at(waited_ns, clock.monotonic_ns())

    return ask
