"""All metrics as the text that Prometheus reads (exposition format 0.0.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import isnan
from types import MappingProxyType

from moldau.broker.metrics.kinds import Gauge, Histogram, Meter
from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.registry import Metric, Registry

__all__ = ["CONTENT_TYPE", "exposition", "label_of", "pieces"]

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
NO_NUMBER = "NaN"
"""As the format spells it."""
PERCENTILES = (0.5, 0.75, 0.95, 0.98, 0.99, 0.999)
"""Those that Kafka's own histograms have."""
_UNFIT = re.compile(r"^[0-9]|[^a-z0-9_]")
Spelt = dict[tuple[tuple[str, str], ...], str]
"""Tags → labels, within one page: a partition has the same in ten families."""
SAMPLES_PER_PIECE = 200
"""Some two milliseconds of work."""
LABELS_MAX = 256
"""Spelt and remembered; there are some dozens, but clients may push others."""
_ESCAPES_OF_HELP = str.maketrans({"\\": r"\\", "\n": r"\n"})
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


def exposition(registry: Registry, doc: Mapping[str, str] = MappingProxyType({})) -> str:
    """One text for all; `doc` has a sentence about a family, by its name."""
    return "".join(pieces(registry, doc))


def pieces(registry: Registry, doc: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
    """The same, a little at a time, for a loop that others wait for.

    The work between two pieces is bounded, so some of them are empty. A node with a thousand
    partitions to write takes 0.1 s for all, and 5 ms for one.
    """
    families: dict[str, list[tuple[MetricName, Metric]]] = {}
    for count, (name, metric) in enumerate(registry.collect()):
        families.setdefault(name.prometheus, []).append((name, metric))
        if not name.tags or not count % SAMPLES_PER_PIECE:
            yield ""  # one number may come of a look at every partition
    spelt: Spelt = {}
    for family, members in sorted(families.items()):
        members.sort(key=lambda item: item[0].tags)
        yield f"{_help(family, doc)}# TYPE {family} {_kind(members[0][1])}\n"
        for start in range(0, len(members), SAMPLES_PER_PIECE):
            few = members[start : start + SAMPLES_PER_PIECE]
            yield "".join(f"{line}\n" for one in few for line in _samples(family, *one, spelt))


def _help(family: str, doc: Mapping[str, str]) -> str:
    return f"# HELP {family} {doc[family].translate(_ESCAPES_OF_HELP)}\n" if family in doc else ""


def _kind(metric: Metric) -> str:
    if isinstance(metric, Meter):
        return "counter"
    return "gauge" if isinstance(metric, Gauge) else "summary"


def _samples(family: str, name: MetricName, metric: Metric, spelt: Spelt) -> Iterator[str]:
    if isinstance(metric, Histogram):
        yield from _summary(family, name, metric)
        return
    tags = name.tags
    labels = spelt.get(tags)
    if labels is None:
        labels = spelt[tags] = _labels(tags)
    if isinstance(metric, Meter):
        yield f"{family}{labels} {metric.count}"
    else:
        value = metric.value
        yield f"{family}{labels} {NO_NUMBER if isnan(value) else f'{value:.15g}'}"


def _summary(family: str, name: MetricName, metric: Histogram) -> Iterator[str]:
    for share in PERCENTILES:
        labels = _labels((*name.tags, ("quantile", str(share))))
        yield f"{family}{labels} {metric.percentile(share):g}"
    yield f"{family}_sum{_labels(name.tags)} {metric.total * metric.scale:.15g}"
    yield f"{family}_count{_labels(name.tags)} {metric.count}"


@lru_cache(LABELS_MAX)
def label_of(tag: str) -> str:
    """A tag's name, with the characters that Prometheus allows."""
    return _UNFIT.sub("_", tag.lower())


def _labels(tags: tuple[tuple[str, str], ...]) -> str:
    if not tags:
        return ""
    pairs = ",".join(f'{label_of(key)}="{value.translate(_ESCAPES)}"' for key, value in tags)
    return f"{{{pairs}}}"
