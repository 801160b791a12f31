"""The registry as Kafka's MBeans: object names, their patterns, and attributes.

    kafka.server:type=BrokerTopicMetrics,name=MessagesInPerSec      Count, OneMinuteRate, …
    kafka.server:type=group-coordinator-metrics                     group-count, …

Kafka has two kinds. What the Yammer library made is one bean to a metric, whose name is in the
object name and begins with a capital. What Kafka's own metrics library made is an attribute, in
small letters with dashes, of a bean that has the group's type and tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import NamedTuple

from moldau.broker.metrics.kinds import Gauge, Histogram, Meter
from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.rates import Rates
from moldau.broker.metrics.registry import Metric

__all__ = [
    "Attributes",
    "BadObjectName",
    "Bean",
    "BeanPattern",
    "attributes_of",
    "bean_of",
    "value_of",
]

Attributes = dict[str, float | str]

YAMMER_TYPES = frozenset({"KafkaServer", "LogCleaner", "LogCleanerManager", "LogManager"})
"""Beans of their own although their names are in small letters."""
WITH_RATE = frozenset(
    {
        "BrokerRequestHandlerAvgIdlePercent",
        "ControllerRequestHandlerAvgIdlePercent",
        "RequestHandlerAvgIdlePercent",
    }
)
"""Gauges of the last minute where Kafka has a meter, whose rate programs read."""
COUNTS = "Count"
"""How names end of what only grows and is a gauge all the same in Kafka: its value is read."""
_PLAIN = re.compile(r"[\w\-%. \t]*")
"""What a value may hold without quotes; Kafka quotes the others."""
_QUOTED = re.compile(r'["*?\\]')
_PROPERTY = re.compile(r'([^,=:*?]+)=("(?:[^"\\]|\\.)*"|[^,=:"]*)')
PERCENTILES = {
    "50thPercentile": 0.5,
    "75thPercentile": 0.75,
    "95thPercentile": 0.95,
    "98thPercentile": 0.98,
    "99thPercentile": 0.99,
    "999thPercentile": 0.999,
}


class BadObjectName(Exception):
    """A text that is no object name and no pattern of one."""


class Bean(NamedTuple):
    """An object name."""

    domain: str
    properties: tuple[tuple[str, str], ...]
    """In the order in which Kafka writes them; values are quoted where they must be."""

    def __str__(self) -> str:
        return f"{self.domain}:{_joined(self.properties)}"

    @property
    def canonical(self) -> str:
        """With its properties in the order of their keys, as Jolokia shows it."""
        return f"{self.domain}:{_joined(sorted(self.properties))}"


class BeanPattern(NamedTuple):
    """Which beans are asked for; one alone where nothing in it is a wildcard."""

    domain: str
    properties: dict[str, str]
    and_others: bool
    """It ends in `*`: beans with more properties match too."""

    def __str__(self) -> str:
        shown = _joined(sorted(self.properties.items()))
        more = ("," if shown else "") + "*" if self.and_others else ""
        return f"{self.domain}:{shown}{more}"

    @classmethod
    def parse(cls, text: str) -> BeanPattern:
        domain, colon, rest = text.partition(":")
        if not colon or not rest:
            raise BadObjectName(f"{text!r} is no object name: domain:key=value,… is one")
        properties: dict[str, str] = {}
        and_others, position = False, 0
        while position < len(rest):
            if rest[position] == "*" and rest[position + 1 : position + 2] in ("", ","):
                and_others, end = True, position + 1
            elif found := _PROPERTY.match(rest, position):
                properties[found[1]], end = found[2], found.end()
            else:
                raise BadObjectName(f"{text!r} is no object name: see {rest[position:]!r}")
            if end < len(rest) and rest[end] != ",":
                raise BadObjectName(f"{text!r} is no object name: see {rest[end:]!r}")
            position = end + 1
        return cls(domain, properties, and_others)

    @property
    def is_exact(self) -> bool:
        return not (
            self.and_others
            or _is_wild(self.domain)
            or any(_is_wild(value) for value in self.properties.values())
        )

    def matches(self, bean: Bean) -> bool:
        has = dict(bean.properties)
        if not _fits(bean.domain, self.domain) or not self.properties.keys() <= has.keys():
            return False
        if not self.and_others and len(has) != len(self.properties):
            return False
        return all(_fits(has[key], value) for key, value in self.properties.items())


def bean_of(name: MetricName) -> tuple[Bean, str | None]:
    """The bean of a metric, and its one attribute there; None where it has a bean of its own."""
    tags = tuple((key, _quoted(value)) for key, value in name.tags)
    if name.name[:1].islower() and name.type not in YAMMER_TYPES:
        return Bean(name.group, (("type", name.type), *tags)), name.name
    return Bean(name.group, (("type", name.type), ("name", name.name), *tags)), None


def attributes_of(name: MetricName, metric: Metric, rates: Rates, now_ns: int) -> Attributes:
    """What a bean of its own shows, by the names of the Yammer library."""
    if isinstance(metric, Gauge):
        value = _whole(metric.value)
        rate = {"OneMinuteRate": value} if name.name in WITH_RATE else {}
        return {"Value": value, **rate}
    if isinstance(metric, Histogram):
        return _distribution(metric)
    as_gauge: Attributes = {"Value": metric.count} if name.name.endswith(COUNTS) else {}
    return {
        **as_gauge,
        "Count": metric.count,
        "EventType": "events",
        "RateUnit": "SECONDS",
        **rates.of(name, metric.count, now_ns),
    }


def value_of(metric: Metric) -> float:
    """What an attribute of Kafka's own library shows."""
    if isinstance(metric, Meter):
        return metric.count
    return _whole(metric.value) if isinstance(metric, Gauge) else metric.percentile(0.5)


def _whole(value: float) -> float:
    """As an integer if it is one: a gauge that is compiled makes a float of every number."""
    return int(value) if float(value).is_integer() else value


def _distribution(metric: Histogram) -> Attributes:
    mean = metric.total * metric.scale / metric.count if metric.count else 0.0
    return {
        "Count": metric.count,
        "Max": metric.maximum * metric.scale,
        "Mean": mean,
        "Min": metric.minimum,
        "StdDev": metric.deviation,
        **{name: metric.percentile(share) for name, share in PERCENTILES.items()},
    }


def _joined(properties: Iterable[tuple[str, str]]) -> str:
    return ",".join(f"{key}={value}" for key, value in properties)


def _quoted(value: str) -> str:
    if _PLAIN.fullmatch(value):
        return value
    escaped = _QUOTED.sub(lambda found: "\\" + found[0], value).replace("\n", "\\n")
    return f'"{escaped}"'


def _is_wild(text: str) -> bool:
    return "*" in text or "?" in text


def _fits(text: str, pattern: str) -> bool:
    if text == pattern:
        return True
    return _is_wild(pattern) and fnmatchcase(text, pattern.replace("[", "[[]"))
