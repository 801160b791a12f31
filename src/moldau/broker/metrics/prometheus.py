"""All metrics as the text that Prometheus reads (exposition format 0.0.4)."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, repeat
from math import isnan
from types import MappingProxyType
from typing import NamedTuple

from moldau.broker.metrics.column import Column, LastingPlaces, Places
from moldau.broker.metrics.kinds import Gauge, Histogram, Meter
from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.registry import Metric, Reading, Registry

__all__ = ["CONTENT_TYPE", "Spelling", "exposition", "label_of", "pieces"]

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
NO_NUMBER = "NaN"
"""As the format spells it."""
PERCENTILES = (0.5, 0.75, 0.95, 0.98, 0.99, 0.999)
"""Those that Kafka's own histograms have."""
_UNFIT = re.compile(r"^[0-9]|[^a-z0-9_]")
SAMPLES_PER_PIECE = 200
"""Of a column: 0.2 ms of work."""
METRICS_PER_PIECE = 20
"""Of those that are looked up one by one: a histogram takes ten times as long as a number."""
PLACES_MAX = 16_384
"""Spelt and remembered from one page to the next; then all of them are forgotten."""
LABELS_MAX = 256
"""Spelt and remembered; there are some dozens, but clients may push others."""
HEADINGS_MAX = 4096
"""Of families; the names of those that clients push are without a bound of their own."""
PUSHED = "kafka_client_telemetry_"
"""How the families begin that clients push: which they are is theirs to say."""
PUSHED_HELP = "Pushed by clients (KIP-714)."
_ESCAPES_OF_HELP = str.maketrans({"\\": r"\\", "\n": r"\n"})
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


class _Lines(NamedTuple):
    """Of some places of a column, as they were written last."""

    labels: list[str]
    numbers: Sequence[float]
    text: str


class Spelling:
    """What is spelt for one page and serves the next: labels of places, headings, and lines.

    A partition is spelt once for all names that have its numbers; a blank is behind it: what
    follows is a number. Of places that last the lines are kept, too: most numbers of partitions are
    what they were, and to compare two hundred takes a fraction of the time of writing them down.
    """

    def __init__(self) -> None:
        self._spelt: dict[tuple[str, ...], dict[tuple[str, ...], str]] = {}
        self._headings: dict[tuple[str, str], str] = {}
        self._labels: dict[tuple[tuple[str, ...], int], tuple[Places, list[str]]] = {}
        """By the names of the tags and the identity of places, which are held here and last."""
        self._labels_before = self._labels
        self._lines: dict[tuple[str, int, int], _Lines] = {}
        self._lines_before = self._lines

    def __repr__(self) -> str:
        return f"Spelling({sum(map(len, self._spelt.values()))} places)"

    def begin(self) -> None:
        """A page: what the one before did not use is forgotten."""
        self._labels_before, self._labels = self._labels, {}
        self._lines_before, self._lines = self._lines, {}

    def heading(self, family: str, doc: Mapping[str, str], kind: str) -> str:
        found = self._headings.get((family, kind))
        if found is None:
            if len(self._headings) >= HEADINGS_MAX:
                self._headings.clear()
            found = self._headings[family, kind] = _heading(family, doc, kind)
        return found

    def of(self, column: Column) -> Generator[str, None, list[str]]:
        """Labels in the order of its places; with a pause wherever many of them are new."""
        tags, places = column.tags, column.places
        if not isinstance(places, LastingPlaces):
            return (yield from self._look_up(tags, places))
        where = tags, id(places)
        known = self._labels.get(where) or self._labels_before.get(where)
        if known is None:
            known = places, (yield from self._look_up(tags, places))
        self._labels[where] = known
        return known[1]

    def lines(self, family: str, number: int, column: Column, labels: list[str]) -> Iterator[str]:
        """Of the column of that number in the family, a piece at a time."""
        lasts = isinstance(column.places, LastingPlaces)
        for start in range(0, len(labels), SAMPLES_PER_PIECE):
            some = column.numbers[start : start + SAMPLES_PER_PIECE]
            found = self._lines_before.get((family, number, start)) if lasts else None
            if found is None or found.labels is not labels or found.numbers != some:
                text = _lines(family, labels[start : start + SAMPLES_PER_PIECE], some)
                found = _Lines(labels, some, text)
            if lasts:
                self._lines[family, number, start] = found
            yield found.text

    def _look_up(self, tags: tuple[str, ...], places: Places) -> Generator[str, None, list[str]]:
        if sum(map(len, self._spelt.values())) > PLACES_MAX:
            self._spelt.clear()
        spelt = self._spelt.setdefault(tags, {})
        found: list[str] = []
        for start in range(0, len(places), SAMPLES_PER_PIECE):
            for place in places[start : start + SAMPLES_PER_PIECE]:
                labels = spelt.get(place)
                if labels is None:
                    labels = spelt[place] = f"{_labels(tuple(zip(tags, place, strict=True)))} "
                found.append(labels)
            if len(places) > SAMPLES_PER_PIECE:
                yield ""
        return found


def exposition(registry: Registry, doc: Mapping[str, str] = MappingProxyType({})) -> str:
    """One text for all; `doc` has a sentence about a family, by its name."""
    return "".join(pieces(registry, Spelling(), doc))


def pieces(
    registry: Registry, spelling: Spelling, doc: Mapping[str, str] = MappingProxyType({})
) -> Iterator[str]:
    """The same, a little at a time, for a loop that others wait for.

    The work between two pieces is bounded, so some of them are empty.
    """
    spelling.begin()
    families: dict[str, list[Reading]] = {}
    for one in registry.read_page():
        name = one.name if isinstance(one, Column) else one[0]
        families.setdefault(name.prometheus, []).append(one)
        yield ""  # one number may come of a look at every partition
    for family, members in sorted(families.items()):
        columns = [one for one in members if isinstance(one, Column)]
        if len(columns) == len(members):
            yield from _of_columns(family, columns, spelling, doc)
        else:
            yield from _of_metrics(family, members, spelling, doc)


def _of_columns(
    family: str, columns: list[Column], spelling: Spelling, doc: Mapping[str, str]
) -> Iterator[str]:
    if not any(column.places for column in columns):
        return
    yield spelling.heading(family, doc, "counter" if columns[0].only_grows else "gauge")
    for number, column in enumerate(columns):
        labels = yield from spelling.of(column)
        yield from spelling.lines(family, number, column, labels)


def _lines(family: str, labels: list[str], numbers: Sequence[float]) -> str:
    # A join of three columns takes a quarter of the time of a formatted line for each number.
    rows = zip(repeat(f"\n{family}"), labels, _spelt(numbers))
    return "".join(chain.from_iterable(rows))[1:] + "\n"


def _spelt(numbers: Sequence[float]) -> Iterator[str]:
    kinds = set(map(type, numbers))
    if kinds == {int}:
        return map(str, numbers)
    if kinds <= {int, bool}:
        return map(str, map(int, numbers))
    return map(_number, numbers)


def _number(value: float) -> str:
    return NO_NUMBER if isnan(value) else f"{value:.15g}"


def _of_metrics(
    family: str, members: list[Reading], spelling: Spelling, doc: Mapping[str, str]
) -> Iterator[str]:
    metrics: list[tuple[MetricName, Metric]] = []
    for one in members:
        metrics.extend(one.metrics() if isinstance(one, Column) else (one,))
    if len(metrics) > 1:
        metrics.sort(key=lambda item: item[0].tags)
    yield spelling.heading(family, doc, _kind(metrics[0][1]))
    for start in range(0, len(metrics), METRICS_PER_PIECE):
        few = metrics[start : start + METRICS_PER_PIECE]
        yield "".join(f"{line}\n" for one in few for line in _samples(family, *one))


def _heading(family: str, doc: Mapping[str, str], kind: str) -> str:
    return f"{_help(family, doc)}# TYPE {family} {kind}\n"


def _help(family: str, doc: Mapping[str, str]) -> str:
    text = doc.get(family, PUSHED_HELP if family.startswith(PUSHED) else "")
    return f"# HELP {family} {text.translate(_ESCAPES_OF_HELP)}\n" if text else ""


def _kind(metric: Metric) -> str:
    if isinstance(metric, Meter):
        return "counter"
    return "gauge" if isinstance(metric, Gauge) else "summary"


def _samples(family: str, name: MetricName, metric: Metric) -> Iterator[str]:
    if isinstance(metric, Histogram):
        yield from _summary(family, name, metric)
    elif isinstance(metric, Meter):
        yield f"{family}{_labels_of_metric(name.tags)} {metric.count}"
    else:
        yield f"{family}{_labels_of_metric(name.tags)} {_number(metric.value)}"


def _summary(family: str, name: MetricName, metric: Histogram) -> Iterator[str]:
    labels = _labels_of_metric(name.tags)
    first = f"{family}{labels[:-1]}," if labels else f"{family}{{"
    for share in PERCENTILES:
        yield f'{first}quantile="{share}"}} {metric.percentile(share):g}'
    yield f"{family}_sum{labels} {metric.total * metric.scale:.15g}"
    yield f"{family}_count{labels} {metric.count}"


@lru_cache(LABELS_MAX)
def label_of(tag: str) -> str:
    """A tag's name, with the characters that Prometheus allows."""
    return _UNFIT.sub("_", tag.lower())


@lru_cache(PLACES_MAX)
def _labels_of_metric(tags: tuple[tuple[str, str], ...]) -> str:
    return _labels(tags)


def _labels(tags: tuple[tuple[str, str], ...]) -> str:
    if not tags:
        return ""
    pairs = ",".join(f'{label_of(key)}="{value.translate(_ESCAPES)}"' for key, value in tags)
    return f"{{{pairs}}}"
