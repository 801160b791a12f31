"""What the nodes of a cluster report on `/metrics`: series, with their labels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from urllib.request import urlopen

from tests.judges.kafka_node import HOST

__all__ = ["Series", "has", "series_of"]

SAMPLE = re.compile(r"^([a-z0-9_]+)(?:\{(.*)\})? (\S+)$", re.MULTILINE)
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
SUFFIXES = ("", "_count")
"""A summary has the second."""
TIMEOUT_S = 30


class Series(NamedTuple):
    name: str
    labels: Mapping[str, str]
    value: float


def series_of(ports: Iterable[int]) -> list[Series]:
    """Of all nodes together."""
    return [one for port in ports for one in _page(port)]


def _page(port: int) -> Iterator[Series]:
    with urlopen(f"http://{HOST}:{port}/metrics", timeout=TIMEOUT_S) as answer:
        text = answer.read().decode()
    for name, labels, value in SAMPLE.findall(text):
        yield Series(name, dict(LABEL.findall(labels)), float(value))


def has(found: Iterable[Series], family: str, labels: Mapping[str, str]) -> bool:
    """Whether one of them has this name and at least these labels."""
    names = {family + suffix for suffix in SUFFIXES}
    return any(one.name in names and labels.items() <= one.labels.items() for one in found)
