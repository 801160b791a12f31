"""Metrics as tables: a name, what it means, and how it is looked up.

The same tables are read for the page of metrics and for the documents, so there is no metric that
is not described.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from moldau.broker.metrics.kinds import Gauge, Histogram, Meter
from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.registry import Metric
from moldau.broker.server.monitoring.figures.scrape import Scrape

__all__ = ["Counted", "Each", "Row", "Spread", "Table", "Tagged", "samples"]

Tagged = tuple[tuple[str, ...], float]
"""The values of the tags, in their order, and the number."""
Tags = tuple[tuple[str, str], ...]


class Row(NamedTuple):
    """One number."""

    name: str
    doc: str
    read: Callable[[Scrape], float]
    only_grows: bool = False
    tags: tuple[str, ...] = ()


class Each(NamedTuple):
    """A number for each of several things."""

    name: str
    tags: tuple[str, ...]
    doc: str
    read: Callable[[Scrape], Iterable[Tagged]]
    only_grows: bool = False


class Spread(NamedTuple):
    """How kept values are spread."""

    name: str
    doc: str
    read: Callable[[Scrape], Histogram]
    tags: tuple[str, ...] = ()


class Counted(NamedTuple):
    """Kept in the registry where it happens; only described here."""

    name: str
    tags: tuple[str, ...]
    doc: str


class Table(NamedTuple):
    """The metrics of one type."""

    group: str
    type: str
    rows: tuple[Row | Each | Spread | Counted, ...]


def samples(table: Table, scrape: Scrape) -> Iterator[tuple[MetricName, Metric]]:
    """All of a table, each row as it is at the moment when it is reached."""
    made: dict[tuple[tuple[str, ...], tuple[str, ...]], Tags] = {}
    for row in table.rows:
        name = MetricName(table.group, table.type, row.name)
        if isinstance(row, Row):
            yield name, _metric(row.read(scrape), only_grows=row.only_grows)
        elif isinstance(row, Spread):
            yield name, row.read(scrape)
        elif isinstance(row, Each):
            for values, number in list(row.read(scrape)):
                place = row.tags, values
                tags = made.get(place)
                if tags is None:
                    tags = made[place] = tuple(zip(row.tags, values, strict=True))
                tagged = MetricName(table.group, table.type, row.name, tags)
                yield tagged, _metric(number, only_grows=row.only_grows)


def _metric(number: float, *, only_grows: bool) -> Metric:
    return Meter(int(number)) if only_grows else Gauge(lambda: number)
