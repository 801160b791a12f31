"""As much of PromQL as our alerts use, over scripted series: what fires, and when.

Prometheus' own promtool judges the same scenarios where it is installed. `increase` is not
extrapolated to the ends of its range here, which matters to no comparison with 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from statistics import linear_regression
from typing import NamedTuple

TOKEN = re.compile(r'\s*(\[\d+[smh]\]|"[^"]*"|=~|!=|==|>=|<=|[a-zA-Z_]\w*|\d+(?:\.\d+)?|\S)')
SERIES = re.compile(r"(\w+)(?:\{(.*)\})?")
LABEL = re.compile(r'(\w+)="([^"]*)"')
STEPS = re.compile(r"(-?[\d.]+)(?:([+-][\d.]+))?(?:x(\d+))?")
POINTS_MIN = 2
"""One alone has no slope."""
SECONDS = {"s": 1, "m": 60, "h": 3600}
COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    ">": lambda left, right: left > right,
    "<": lambda left, right: left < right,
}
AGGREGATIONS: dict[str, Callable[[list[float]], float]] = {"sum": sum, "max": max, "count": len}

Labels = frozenset[tuple[str, str]]
Vector = dict[Labels, float]


class Series(NamedTuple):
    """A value for each step of time; None where there is none."""

    name: str
    labels: Labels
    values: list[float]


def seconds(text: str) -> int:
    return int(text[:-1]) * SECONDS[text[-1]]


def scripted(series: str, values: str) -> Series:
    """As promtool writes them: `0 1x3` is 0 1 1 1 1, `0+5x2` is 0 5 10."""
    found = SERIES.fullmatch(series)
    assert found is not None, series
    points: list[float] = []
    for word in values.split():
        parts = STEPS.fullmatch(word)
        assert parts is not None, word
        start, step, times = float(parts[1]), float(parts[2] or 0), int(parts[3] or 0)
        points += [start + number * step for number in range(times + 1)]
    return Series(found[1], frozenset(LABEL.findall(found[2] or "")), points)


class Query:
    """One look at the series at a time."""

    def __init__(self, text: str, series: list[Series], step_s: int, at_s: int) -> None:
        self._tokens = TOKEN.findall(text)
        self._series = series
        self._step_s = step_s
        self._now = at_s // step_s

    def answer(self) -> Vector:
        found = self._either()
        assert not self._tokens, f"not understood: {self._tokens}"
        return found

    def _peek(self) -> str:
        return self._tokens[0] if self._tokens else ""

    def _take(self, wanted: str | None = None) -> str:
        token: str = self._tokens.pop(0)
        assert wanted in (None, token), f"{wanted} is wanted and not {token}"
        return token

    def _either(self) -> Vector:
        found = self._both()
        while self._peek() == "or":
            self._take()
            others = self._both()
            found = {**others, **found}
        return found

    def _both(self) -> Vector:
        found = self._compared()
        while self._peek() == "and":
            self._take()
            others = self._compared()
            found = {labels: value for labels, value in found.items() if labels in others}
        return found

    def _compared(self) -> Vector:
        found = self._operand()
        if self._peek() in COMPARISONS:
            fits, limit = COMPARISONS[self._take()], float(self._take())
            return {labels: value for labels, value in found.items() if fits(value, limit)}
        return found

    def _operand(self) -> Vector:
        word = self._take()
        if word in AGGREGATIONS:
            return self._aggregated(AGGREGATIONS[word])
        if word in ("increase", "deriv"):
            self._take("(")
            ranges = self._selected(self._take())
            length = seconds(self._take().strip("[]")) // self._step_s
            self._take(")")
            return self._over_time(word, ranges, length)
        return {
            one.labels: one.values[self._now]
            for one in self._selected(word)
            if self._now < len(one.values)
        }

    def _aggregated(self, combine: Callable[[list[float]], float]) -> Vector:
        kept: list[str] = []
        if self._peek() == "by":
            self._take()
            kept = self._names()
        self._take("(")
        groups: dict[Labels, list[float]] = {}
        for labels, value in self._either().items():
            key = frozenset(pair for pair in labels if pair[0] in kept)
            groups.setdefault(key, []).append(value)
        self._take(")")
        return {labels: combine(values) for labels, values in groups.items()}

    def _names(self) -> list[str]:
        self._take("(")
        names: list[str] = []
        while (word := self._take()) != ")":
            names += [word] if word != "," else []
        return names

    def _selected(self, name: str) -> list[Series]:
        wanted: set[tuple[str, str]] = set()
        if self._peek() == "{":
            self._take()
            while (label := self._take()) != "}":
                if label != ",":
                    self._take("=")
                    wanted.add((label, self._take().strip('"')))
        return [one for one in self._series if one.name == name and wanted <= one.labels]

    def _over_time(self, function: str, ranges: list[Series], length: int) -> Vector:
        found: Vector = {}
        for one in ranges:
            values = one.values[max(self._now - length + 1, 0) : self._now + 1]
            if len(values) < POINTS_MIN:
                continue
            if function == "deriv":
                times = [number * self._step_s for number in range(len(values))]
                found[one.labels] = linear_regression(times, values).slope
            else:
                pairs = pairwise(values)
                found[one.labels] = sum(new - old if new >= old else new for old, new in pairs)
        return found


def firing(rule: dict[str, str], series: list[Series], step_s: int, at_s: int) -> list[Labels]:
    """Which of the rule's alerts have held for as long as it wants."""
    wanted_s = seconds(rule.get("for", "0s"))
    since: dict[Labels, int] = {}
    for now_s in range(0, at_s + 1, step_s):
        found = Query(rule["expr"], series, step_s, now_s).answer()
        since = {labels: since.get(labels, now_s) for labels in found}
    return [labels for labels, began_s in since.items() if at_s - began_s >= wanted_s]
