"""All metrics as the text that Prometheus reads (exposition format 0.0.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from moldau.metrics.kinds import Gauge, Histogram, Meter
from moldau.metrics.name import MetricName
from moldau.metrics.registry import Metric, Registry

__all__ = ["CONTENT_TYPE", "exposition", "label_of"]

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
PERCENTILES = (0.5, 0.75, 0.95, 0.98, 0.99, 0.999)
"""Those that Kafka's own histograms tell."""
_UNFIT = re.compile(r"^[0-9]|[^a-z0-9_]")
LABELS_MAX = 256
"""Spelt and remembered; there are some dozens, but clients may push others."""
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


def exposition(registry: Registry) -> str:
    """One text for all."""
    families = groupby(
        sorted(registry, key=lambda item: (item[0].prometheus, item[0].tags)),
        key=lambda item: item[0].prometheus,
    )
    return "".join(
        f"{line}\n" for name, members in families for line in _family(name, list(members))
    )


def _family(family: str, members: list[tuple[MetricName, Metric]]) -> Iterator[str]:
    yield f"# TYPE {family} {_kind(members[0][1])}"
    for name, metric in members:
        yield from _samples(family, name, metric)


def _kind(metric: Metric) -> str:
    if isinstance(metric, Meter):
        return "counter"
    return "gauge" if isinstance(metric, Gauge) else "summary"


def _samples(family: str, name: MetricName, metric: Metric) -> Iterator[str]:
    if isinstance(metric, Meter):
        yield f"{family}{_labels(name.tags)} {metric.count}"
    elif isinstance(metric, Gauge):
        yield f"{family}{_labels(name.tags)} {metric.value:.15g}"
    else:
        yield from _summary(family, name, metric)


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
