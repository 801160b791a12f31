"""Metrics as tables: a name, what it means, and how it is looked up.

The same tables are read for the page of metrics and for the documents, so there is no metric that
is not described.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from moldau.broker.metrics.column import Column, as_metric
from moldau.broker.metrics.kinds import Histogram
from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.registry import PAUSE, Reading
from moldau.broker.server.monitoring.figures.scrape import Scrape

__all__ = [
    "PLACE",
    "Counted",
    "Each",
    "OfPartitions",
    "Row",
    "Spread",
    "Spreads",
    "Table",
    "Tagged",
    "samples",
]

Tagged = tuple[tuple[str, ...], float]
"""The values of the tags, in their order, and the number."""
PLACE = ("topic", "partition")
NAMES_MAX = 1024
"""Made once; all tables have some hundreds of rows."""


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


class OfPartitions(NamedTuple):
    """A number for each partition that is shown, in the order in which they are."""

    name: str
    doc: str
    read: Callable[[Scrape], Sequence[float]]
    only_grows: bool = False
    tags: tuple[str, ...] = PLACE
    is_led: bool = False
    """Of those that are led here alone."""


class Spread(NamedTuple):
    """How kept values are spread."""

    name: str
    doc: str
    read: Callable[[Scrape], Histogram]
    tags: tuple[str, ...] = ()


class Spreads(NamedTuple):
    """The same for each of several things."""

    name: str
    tags: tuple[str, ...]
    doc: str
    read: Callable[[Scrape], Iterable[tuple[tuple[str, ...], Histogram]]]


class Counted(NamedTuple):
    """Kept in the registry where it happens; only described here."""

    name: str
    tags: tuple[str, ...]
    doc: str


class Table(NamedTuple):
    """The metrics of one type."""

    group: str
    type: str
    rows: tuple[Row | Each | OfPartitions | Spread | Spreads | Counted, ...]
    look: Callable[[Scrape], Iterator[None]] | None = None
    """What takes long, and is found before the rows are read; others go on between its pieces."""


@lru_cache(NAMES_MAX)
def _name(group: str, kind: str, name: str) -> MetricName:
    return MetricName(group, kind, name)


def samples(table: Table, scrape: Scrape) -> Iterator[Reading]:
    """All of a table, each row as it is at the moment when it is reached."""
    if table.look is not None:
        for _ in table.look(scrape):
            yield PAUSE
    for row in table.rows:
        name = _name(table.group, table.type, row.name)
        if isinstance(row, Row):
            yield name, as_metric(row.read(scrape), row.only_grows)
        elif isinstance(row, Spread):
            yield name, row.read(scrape)
        elif isinstance(row, Spreads):
            yield from _spreads(row, name, scrape)
        elif not isinstance(row, Counted):
            yield _column(row, name, scrape)


def _spreads(row: Spreads, name: MetricName, scrape: Scrape) -> Iterator[Reading]:
    for values, histogram in row.read(scrape):
        yield name._replace(tags=tuple(zip(row.tags, values, strict=True))), histogram


def _column(row: OfPartitions | Each, name: MetricName, scrape: Scrape) -> Column:
    if isinstance(row, OfPartitions):
        places = scrape.led_places if row.is_led else scrape.places
        return Column(name, row.tags, places, row.read(scrape), row.only_grows)
    found = tuple(row.read(scrape))
    places, numbers = tuple(place for place, _ in found), [one for _, one in found]
    return Column(name, row.tags, places, numbers, row.only_grows)
