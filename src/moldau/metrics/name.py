"""Names of metrics, as Kafka's beans are named: group, type, name, and tags that tell alike apart.

    kafka.network:type=RequestMetrics,name=TotalTimeMs,request=Produce

Prometheus allows fewer characters. We spell names as the exporter that most Kafka dashboards are
made for does: all in lower case, joined by underscores, `PerSec` become `_total`.

    kafka_network_requestmetrics_totaltimems{request="Produce"}
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

__all__ = ["MetricName"]

_UNFIT = re.compile(r"[^a-z0-9_]")
PER_SECOND = "PerSec"


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

    @cached_property
    def prometheus(self) -> str:
        """Without the tags."""
        name = self.name
        if name.endswith(PER_SECOND):
            name = f"{name.removesuffix(PER_SECOND)}_total"
        return _UNFIT.sub("_", f"{self.group}_{self.type}_{name}".lower())
