"""What is counted of every request: Kafka's RequestMetrics.

Times begin with the last byte of the request and end when its answer is handed to the network.
They are kept in microseconds and shown in milliseconds.

Most requests are answered at once, and all of their time is local. Of the others, which wait for
followers, for bytes, for the controller, it is noted when their handler was done: until then the
time was local, from then on it is remote. Only these are recorded apart, and `figures.requests`
makes Kafka's two times of them when the page is read.

Errors are those of answers as a whole, and those inside: of single topics, partitions, groups.
Which lists of a response have elements with an error code is found once for each class, from its
declaration.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, TypeAlias

from moldau.broker.metrics.kinds import Histogram, Meter
from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.registry import Registry
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message, Struct

__all__ = [
    "FETCH_FOLLOWER",
    "GROUP",
    "LATE_LOCAL",
    "LATE_REMOTE",
    "LATE_TOTAL",
    "TYPE",
    "ErrorLists",
    "RequestMetrics",
    "count_errors",
    "error_lists",
    "of_late",
]

GROUP: Final = "kafka.network"
TYPE: Final = "RequestMetrics"
US_PER_MS: Final = 1000
NS_PER_US: Final = 1000
FETCH_FOLLOWER: Final = "FetchFollower"
"""As Kafka names those requests of Fetch that followers send."""
LATE_TOTAL: Final = "late-total"
LATE_LOCAL: Final = "late-local"
LATE_REMOTE: Final = "late-remote"
"""Kept aside in the registry: of requests that were not answered at once."""

ErrorLists: TypeAlias = tuple[tuple[str, ...], ...]
"""Names of lists, from the answer inwards."""

LIST_OF: Final = re.compile(r"list\[(\w+)\]")


def of_late(kind: str, api: str) -> MetricName:
    return MetricName(GROUP, TYPE, kind, (("request", api),))


class RequestMetrics:
    """The metrics of one API and version."""

    __slots__ = (
        "_api", "_errors", "_late_local", "_late_remote", "_late_total", "_registry", "requests",
        "sizes", "throttle_time", "total_time",
    )  # fmt: skip

    def __init__(self, registry: Registry, api: str, version: int) -> None:
        self._registry = registry
        self._api = api
        self._errors: dict[int, Meter] = {}
        self.requests: Meter = registry.meter(
            GROUP, TYPE, "RequestsPerSec", request=api, version=str(version)
        )
        self.total_time: Histogram = registry.histogram(
            GROUP, TYPE, "TotalTimeMs", scale=1 / US_PER_MS, request=api
        )
        self.throttle_time: Histogram = registry.histogram(
            GROUP, TYPE, "ThrottleTimeMs", request=api
        )
        self.sizes: Histogram = registry.histogram(GROUP, TYPE, "RequestBytes", request=api)
        self._late_total: Histogram = registry.aside(of_late(LATE_TOTAL, api), 1 / US_PER_MS)
        self._late_local: Histogram = registry.aside(of_late(LATE_LOCAL, api), 1 / US_PER_MS)
        self._late_remote: Histogram = registry.aside(of_late(LATE_REMOTE, api), 1 / US_PER_MS)

    def answered(self, elapsed_ns: int, local_ns: int, throttle_ms: int = 0) -> None:
        """One is through; it was answered at once if all of its time was local."""
        total = elapsed_ns // NS_PER_US
        self.requests.count += 1
        self.throttle_time.record(throttle_ms)
        self.total_time.record(total)
        if local_ns != elapsed_ns:
            local = local_ns // NS_PER_US
            self._late_total.record(total)
            self._late_local.record(local)
            self._late_remote.record(total - local)

    def failed(self, code: int, count: int = 1) -> None:
        """The answer as a whole has an error, or so many of its parts."""
        meter = self._errors.get(code)
        if meter is None:
            name = ErrorCode.read(code).name
            meter = self._errors[code] = self._registry.meter(
                GROUP, TYPE, "ErrorsPerSec", request=self._api, error=name
            )
        meter.count += count


@cache
def error_lists(response: type[Message]) -> ErrorLists:
    """Those whose elements have an error code, of all versions."""
    return tuple(_lists(response, response))


def count_errors(answer: Message, lists: ErrorLists) -> dict[int, int]:
    """How many elements have which error."""
    # hot: once for each answer; 0.07 us where it has one topic with one partition.
    found: dict[int, int] = {}
    for path in lists:
        _count_inside(answer, path, 0, found)
    return found


def _count_inside(place: object, path: tuple[str, ...], at: int, found: dict[int, int]) -> None:
    elements: list[Any] = getattr(place, path[at]) or []
    if at + 1 < len(path):
        for one in elements:
            _count_inside(one, path, at + 1, found)
        return
    for one in elements:
        code: int = one.error_code
        if code:
            found[code] = found.get(code, 0) + 1


def _lists(struct: type[Struct], response: type[Message]) -> Iterator[tuple[str, ...]]:
    for name, text in struct.__annotations__.items():
        found = LIST_OF.match(str(text))
        inner = None if found is None else _inner(found[1], struct, response)
        if inner is None:
            continue
        if "error_code" in inner.DECLARED:
            yield (name,)
        for path in _lists(inner, response):
            yield (name, *path)


def _inner(name: str, struct: type[Struct], response: type[Message]) -> type[Struct] | None:
    """The class of that name: it stands in the one that uses it, or in the response."""
    found = getattr(struct, name, None) or getattr(response, name, None)
    return found if isinstance(found, type) and issubclass(found, Struct) else None
