"""Names of metrics, as Kafka's beans are named: group, type, name, and tags.

    kafka.network:type=RequestMetrics,name=TotalTimeMs,request=Produce

Prometheus allows fewer characters. We spell names as the exporter that most Kafka dashboards are
made for does: all in lower case, joined by underscores, `PerSec` becomes `_total`, and `Percent` at
the end `_percent`.

    kafka_network_requestmetrics_totaltimems{request="Produce"}
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

__all__ = ["MetricName"]

_UNFIT = re.compile(r"[^a-z0-9_]")
PER_SECOND = "PerSec"
PERCENT = "Percent"
NAMES_MAX = 1024
"""Spelt and remembered; without their tags there are some hundreds."""


class _Name(NamedTuple):
    group: str
    """Such as `kafka.server`."""
    type: str
    name: str
    tags: tuple[tuple[str, str], ...] = ()


class MetricName(_Name):
    """A metric's whole name."""

    def __str__(self) -> str:
        tags = "".join(f",{key}={value}" for key, value in self.tags)
        return f"{self.group}:type={self.type},name={self.name}{tags}"

    @property
    def prometheus(self) -> str:
        """Without the tags."""
        return _prometheus(self.group, self.type, self.name)


@lru_cache(NAMES_MAX)
def _prometheus(group: str, kind: str, name: str) -> str:
    if name.endswith(PER_SECOND):
        name = f"{name.removesuffix(PER_SECOND)}_total"
    elif name.endswith(PERCENT):
        name = f"{name.removesuffix(PERCENT)}_percent"
    return _UNFIT.sub("_", "_".join(filter(None, (group, kind, name))).lower())
