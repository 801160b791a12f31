"""Where the time of requests went, and Fetch by consumers and followers apart.

Kafka has threads that read and send, queues, and a pool that handles; here one loop does all, so
nothing waits in queues, and the three times of queues and threads are 0. Local is the time until a
handler was done, and remote that until what it waited for had come: followers, bytes, the
controller. A handler that is a task, as where the controller is asked, is remote from its start.
"""

from __future__ import annotations

from collections.abc import Iterator

from moldau.broker.metrics.kinds import Histogram, Meter
from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.registry import Metric, Registry
from moldau.broker.server.monitoring.figures.table import Counted, Row, Table
from moldau.broker.server.request_metrics import (
    FETCH_FOLLOWER,
    GROUP,
    LATE_LOCAL,
    LATE_REMOTE,
    LATE_TOTAL,
    TYPE,
    of_late,
)

__all__ = ["TABLES", "times_of_requests"]

FETCH, FETCH_CONSUMER = "Fetch", "FetchConsumer"
TOTAL = "TotalTimeMs"
LATE = (LATE_TOTAL, LATE_LOCAL, LATE_REMOTE)
NO_QUEUES = ("RequestQueueTimeMs", "ResponseQueueTimeMs", "ResponseSendTimeMs")
Reported = tuple[MetricName, Metric]


def times_of_requests(registry: Registry) -> Iterator[Reported]:
    """All that is not kept as it is shown."""
    for api, total in list(_totals(registry)):
        yield from _parts(registry, api, total)
    yield from _of_consumers(registry)


def _totals(registry: Registry) -> Iterator[tuple[str, Histogram]]:
    for name, metric in registry.of_type(TYPE):
        if name.name == TOTAL and isinstance(metric, Histogram):
            yield dict(name.tags)["request"], metric


def _parts(registry: Registry, api: str, total: Histogram) -> Iterator[Reported]:
    late = [registry.aside(of_late(kind, api), total.scale) for kind in LATE]
    yield from _made(api, total, *late)


def _made(
    api: str, total: Histogram, late: Histogram, late_local: Histogram, late_remote: Histogram
) -> Iterator[Reported]:
    at_once = total.less(late)
    yield _named("LocalTimeMs", api), at_once.plus(late_local)
    yield _named("RemoteTimeMs", api), at_once.at_zero().plus(late_remote)
    for name in NO_QUEUES:
        yield _named(name, api), total.at_zero()


def _of_consumers(registry: Registry) -> Iterator[Reported]:
    """Fetch without what followers send."""
    of_followers = {
        name._replace(tags=_as(FETCH, name)): metric
        for name, metric in registry.tagged("request", FETCH_FOLLOWER)
    }
    for name, metric in registry.tagged("request", FETCH):
        found = _less(metric, of_followers.get(name))
        yield name._replace(tags=_as(FETCH_CONSUMER, name)), found
        if name.name == TOTAL and isinstance(found, Histogram):
            yield from _made(FETCH_CONSUMER, found, *_late_of_consumers(registry, found.scale))


def _late_of_consumers(registry: Registry, scale: float) -> Iterator[Histogram]:
    for kind in LATE:
        followers = registry.aside(of_late(kind, FETCH_FOLLOWER), scale)
        yield registry.aside(of_late(kind, FETCH), scale).less(followers)


def _less(metric: Metric, other: Metric | None) -> Metric:
    match metric, other:
        case Histogram(), Histogram():
            return metric.less(other)
        case Meter(), Meter():
            return Meter(metric.count - other.count)
        case _:
            return metric


def _as(api: str, name: MetricName) -> tuple[tuple[str, str], ...]:
    return tuple((key, api if key == "request" else value) for key, value in name.tags)


def _named(name: str, api: str) -> MetricName:
    return MetricName(GROUP, TYPE, name, (("request", api),))


REQUESTS = Table(
    GROUP,
    TYPE,
    (
        Counted(
            "RequestsPerSec",
            ("request", "version"),
            "Requests that were answered. Fetch is shown as FetchConsumer and FetchFollower, too.",
        ),
        Counted(TOTAL, ("request",), "From its last byte to its answer."),
        Counted("LocalTimeMs", ("request",), "Of it, until its handler was done."),
        Counted(
            "RemoteTimeMs",
            ("request",),
            "From then on, until what it waited for had come: followers, bytes, the controller.",
        ),
        *(
            Counted(name, ("request",), "0: nothing waits in queues between threads.")
            for name in NO_QUEUES
        ),
        Counted(
            "ErrorsPerSec",
            ("request", "error"),
            "Errors of answers as a whole, and of their topics, partitions and groups.",
        ),
        Counted("RequestBytes", ("request",), "Sizes of requests."),
        Counted("ThrottleTimeMs", ("request",), "What senders owed by their quotas."),
    ),
)
CHANNEL = Table(
    "kafka.network",
    "RequestChannel",
    (
        Row("RequestQueueSize", "0: requests wait in no queue.", lambda s: 0),
        Row("ResponseQueueSize", "0: answers wait in no queue.", lambda s: 0),
    ),
)

TABLES = (REQUESTS, CHANNEL)
