"""Where metrics are found by their names, and made when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from moldau.broker.metrics.column import Column
from moldau.broker.metrics.kinds import Gauge, Histogram, Meter
from moldau.broker.metrics.name import MetricName

__all__ = ["PAUSE", "Metric", "Reading", "Registry", "Source"]

METRICS_MAX = 100_000
"""Names can hold what clients send (versions, errors); beyond this no more are made."""

Metric = Meter | Gauge | Histogram
Reading = tuple[MetricName, Metric] | Column
PAUSE = Column(MetricName("", "", ""), (), (), ())
"""Of nothing: a source that takes long yields it, so that other tasks may go on."""
Source = Callable[[], Iterable[Reading]]
"""Yields what there is at the moment when it is called; may be left waiting between two of them."""


class Registry:
    """All metrics of a node."""

    def __init__(self) -> None:
        self._metrics: dict[MetricName, Metric] = {}
        self._sources: list[tuple[Source, Source]] = []
        """What each yields, and what it yields for the page."""
        self._page_sources: list[Source] = []
        self._aside: dict[MetricName, Histogram] = {}

    def __repr__(self) -> str:
        return f"Registry({len(self._metrics)} metrics)"

    def __len__(self) -> int:
        return len(self._metrics)

    def __iter__(self) -> Iterator[tuple[MetricName, Metric]]:
        """By name; what is kept here, and what the sources yield."""
        return iter(sorted(self.collect(), key=lambda item: item[0]))

    def collect(self) -> Iterator[tuple[MetricName, Metric]]:
        """The same in no order; others may change what is here between two of them."""
        for one in self.read():
            if isinstance(one, Column):
                yield from one.metrics()
            else:
                yield one

    def read(self) -> Iterator[Reading]:
        """The same, and what sources yield as columns stays whole."""
        yield from tuple(self._metrics.items())
        for source, _ in tuple(self._sources):
            yield from source()

    def read_page(self) -> Iterator[Reading]:
        """The same, and what is no metric of Kafka's."""
        yield from tuple(self._metrics.items())
        for _, on_page in tuple(self._sources):
            yield from on_page()
        for source in tuple(self._page_sources):
            yield from source()

    def meter(self, group: str, kind: str, name: str, **tags: str) -> Meter:
        metric = self._find(MetricName(group, kind, name, tuple(tags.items())), Meter)
        assert isinstance(metric, Meter), metric
        return metric

    def histogram(
        self, group: str, kind: str, name: str, *, scale: float = 1, **tags: str
    ) -> Histogram:
        full_name = MetricName(group, kind, name, tuple(tags.items()))
        metric = self._find(full_name, lambda: Histogram(scale))
        assert isinstance(metric, Histogram), metric
        return metric

    def aside(self, name: MetricName, scale: float = 1) -> Histogram:
        """One that is not shown as it is: a source makes others of it."""
        found = self._aside.get(name)
        if found is None:
            found = self._aside[name] = Histogram(scale)
        return found

    def gauge(
        self, ask: Callable[[], float], group: str, kind: str, name: str, **tags: str
    ) -> None:
        """Have `ask` called whenever the metric is read; a later one takes its place."""
        self.add_gauge(ask, group, kind, name, tuple(tags.items()))

    def add_gauge(
        self,
        ask: Callable[[], float],
        group: str,
        kind: str,
        name: str,
        tags: tuple[tuple[str, str], ...],
    ) -> None:
        """The same, with tags whose names are not known beforehand."""
        full_name = MetricName(group, kind, name, tags)
        if len(self._metrics) < METRICS_MAX or full_name in self._metrics:
            self._metrics[full_name] = Gauge(ask)

    def add_source(self, source: Source, on_page: Source | None = None) -> None:
        """Have it asked whenever the metrics are read: for things that come and go.

        The page asks `on_page` in its place, which yields the same and what is no metric of
        Kafka's.
        """
        self._sources.append((source, on_page or source))

    def add_page_source(self, source: Source) -> None:
        """For the page alone, and not among the MBeans."""
        self._page_sources.append(source)

    def of_type(self, kind: str) -> list[tuple[MetricName, Metric]]:
        """Those of what is kept here that have this type."""
        return [item for item in self._metrics.items() if item[0].type == kind]

    def tagged(self, tag: str, value: str) -> list[tuple[MetricName, Metric]]:
        """Those of what is kept here that have this tag."""
        return [item for item in self._metrics.items() if (tag, value) in item[0].tags]

    def forget(self, tag: str, value: str) -> None:
        """What the tag names is gone, and its metrics go with it."""
        for name in [name for name in self._metrics if (tag, value) in name.tags]:
            del self._metrics[name]

    def _find(self, name: MetricName, make: Callable[[], Metric]) -> Metric:
        metric = self._metrics.get(name)
        if metric is None:
            metric = make()
            if len(self._metrics) < METRICS_MAX:
                self._metrics[name] = metric
        return metric
