"""The node's metrics, sent to a collector of OpenTelemetry at an interval (OTLP over HTTP).

The same metrics as `/metrics` has, under the same names, client metrics that were pushed here
included. Counts are cumulative from the start of the node, so an export that fails loses nothing
but its moment. A collector that does not answer is logged once, and once when it answers again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from importlib import import_module
from math import isnan
from typing import NamedTuple

from moldau.broker.metrics.kinds import Gauge, Histogram, Meter
from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.prometheus import PERCENTILES, label_of
from moldau.broker.metrics.registry import Metric, Registry
from moldau.broker.server.monitoring.metrics_page import CATALOGUE
from moldau.errors import NetworkError
from moldau.network.outgoing.web import Web
from moldau.platform.ports.clock import Clock
from moldau.protocol.otlp import Attributes, Number, Series, Spread, metrics_data

__all__ = ["Collector", "OtlpExport", "headers_of"]

log = logging.getLogger(__name__)

PROTOBUF = {"Content-Type": "application/x-protobuf"}
METRICS_PER_TURN = 200
"""Between two turns others are served."""


class Collector(NamedTuple):
    """Where metrics are sent, with which headers, and how often."""

    url: str
    headers: Mapping[str, str]
    interval_ms: int

    def __repr__(self) -> str:
        return f"Collector({self.url})"  # a header may be its secret


class OtlpExport:
    """Exports the metrics of a node to one collector."""

    def __init__(
        self,
        registry: Registry,
        resource: Mapping[str, str],
        clock: Clock,
        web: Web,
        collector: Collector,
    ) -> None:
        self._registry = registry
        self._resource = resource
        self._clock = clock
        self._web = web
        self._tasks = web.tasks
        self._collector = collector
        self._start_ms = clock.now_ms()
        self._fails = False
        """The last export did not arrive."""

    async def run(self) -> None:
        """For as long as the node runs."""
        while True:
            await self._tasks.sleep(self._collector.interval_ms)
            await self.export()

    async def export(self) -> None:
        """Once; failures are logged, not raised."""
        data = await self._data()
        try:
            headers = {**PROTOBUF, **self._collector.headers}
            answer = await self._web.post(self._collector.url, headers, data)
        except NetworkError as error:
            self._failed(str(error))
            return
        if answer.status != HTTPStatus.OK:
            self._failed(f"it answered with status {answer.status}")
        elif self._fails:
            self._fails = False
            log.info("Metrics arrive at %s again", self._collector.url)

    def _failed(self, reason: str) -> None:
        if not self._fails:
            log.warning(
                "Metrics do not arrive at %s (moldau.otlp.metrics.url): %s; the next are sent as "
                "if nothing had happened",
                self._collector.url,
                reason,
            )
        self._fails = True

    async def _data(self) -> bytes:
        families: dict[str, list[tuple[MetricName, Metric]]] = {}
        for count, (name, metric) in enumerate(self._registry.collect()):
            families.setdefault(name.prometheus, []).append((name, metric))
            if not count % METRICS_PER_TURN:
                await self._tasks.turn()
        series, doc = [], import_module(CATALOGUE).DOC
        for family, members in families.items():
            series.append(_series(family, members, doc.get(family, "")))
            await self._tasks.turn()
        now_ms = self._clock.now_ms()
        return metrics_data(series, self._resource, self._start_ms, now_ms, is_delta=False)


def headers_of(text: str) -> dict[str, str]:
    """Of `name=value,name=value`, as OpenTelemetry writes them; or `ValueError`."""
    headers = {}
    for one in filter(None, (part.strip() for part in text.split(","))):
        name, separator, value = one.partition("=")
        if not separator or not name.strip() or not one.isprintable():
            raise ValueError("it has to be NAME=VALUE, and a comma before the next one")
        headers[name.strip()] = value.strip()
    return headers


def _series(family: str, members: list[tuple[MetricName, Metric]], description: str) -> Series:
    kind = type(members[0][1])
    if kind is Histogram:
        spreads = [_spread(metric, name) for name, metric in members if type(metric) is Histogram]
        return Series(family, spreads, description=description)
    numbers = [
        Number(value, _attributes(name))
        for name, metric in members
        if type(metric) is kind and not isnan(value := _value(metric))
    ]
    return Series(family, numbers, is_sum=kind is Meter, description=description)


def _value(metric: Metric) -> float:
    assert isinstance(metric, (Meter, Gauge)), metric
    return metric.count if isinstance(metric, Meter) else metric.value


def _spread(metric: Histogram, name: MetricName) -> Spread:
    quantiles = tuple((share, metric.percentile(share)) for share in PERCENTILES)
    return Spread(metric.count, metric.total * metric.scale, quantiles, _attributes(name))


def _attributes(name: MetricName) -> Attributes:
    return tuple((label_of(key), value) for key, value in name.tags)
