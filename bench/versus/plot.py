"""A run as a picture: how many times better or worse ours is, then speeds and waiting times.

The upper part has a bar for every measure that a case leads with or is held to, on a logarithmic
axis: to the right ours is better, to the left it is worse, and a diamond marks the goal. Below are
the absolute numbers, which belong to the machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from bench.versus.figures import CaseResult, Compared, RunResult
from bench.versus.model import MEASURES
from bench.versus.svg import Canvas
from bench.versus.table import number

WIDTH = 920
LEFT, RIGHT = 330, 840
"""Where the axis of the bars begins and ends."""
ROW, GAP = 17.0, 5.0
GRID = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
PANEL_LEFT, PANEL_WIDTH = 160, 240
SECOND_PANEL = 470
Shown = tuple[str, Compared]


def plot(result: RunResult) -> str:
    canvas = Canvas(WIDTH)
    heading(canvas, result)
    bars(canvas, list(shown(result.cases)))
    top = canvas.height + 46
    left = speed_panel(canvas, top, "Throughput, MB/s", list(of(result.cases, "mb_per_s")))
    requests = list(of(result.cases, "requests_per_s"))
    left = speed_panel(canvas, left + 34, "Requests, 1/s", requests) if requests else left
    right = waiting_panel(canvas, top, list(of(result.cases, "p99_ms")))
    canvas.height = max(left, right) + 16
    return canvas.document("Moldau beside Apache Kafka 4.3.1")


def heading(canvas: Canvas, result: RunResult) -> None:
    canvas.text(20, 28, "Moldau beside Apache Kafka 4.3.1", "title")
    subtitle = f"{result.date[:10]}, commit {result.commit}, {result.machine['kind']}"
    canvas.text(20, 48, subtitle, "soft")
    canvas.height = 66


def shown(cases: Iterable[CaseResult]) -> Iterator[Shown]:
    """With the case's name before its first measure, and nothing before the others."""
    for case in cases:
        name = case.name
        for index, one in enumerate(case.compared):
            if one.advantage and (index == 0 or one.goal is not None):
                yield name, one
                name = ""


class LogAxis:
    """Values of a range to places on the canvas."""

    def __init__(self, values: Iterable[float], left: float, right: float) -> None:
        found = list(values)
        self.least, self.most = min(found) / 1.25, max(found) * 1.25
        self.left, self.right = left, right

    def __call__(self, value: float) -> float:
        part = math.log(value / self.least) / math.log(self.most / self.least)
        return self.left + part * (self.right - self.left)

    def marks(self, marks: Iterable[float]) -> Iterator[float]:
        return (mark for mark in marks if self.least <= mark <= self.most)


def bars(canvas: Canvas, rows: list[Shown]) -> None:
    if not rows:
        return
    advantages = [one.advantage for _, one in rows if one.advantage]
    goals = [goal for _, one in rows if (goal := goal_advantage(one))]
    axis = LogAxis([0.7, 2.0, *advantages, *goals], LEFT, RIGHT)
    top = canvas.height + 26
    bottom = top + sum(ROW + (GAP if name else 0) for name, _ in rows)
    grid(canvas, axis, top, bottom)
    y = top
    for name, one in rows:
        y += GAP if name else 0
        bar(canvas, axis, y, name, one)
        y += ROW
    canvas.height = bottom


def grid(canvas: Canvas, axis: LogAxis, top: float, bottom: float) -> None:
    canvas.text(axis(1) - 8, top - 22, "◂ worse", "soft small", "end")
    canvas.text(axis(1) + 8, top - 22, "better ▸", "soft small")
    canvas.text(RIGHT, top - 22, "◆ goal", "soft small", "end")
    for mark in axis.marks(GRID):
        canvas.line(axis(mark), top, axis(mark), bottom, "line", 1.5 if mark == 1 else 0.75)
        canvas.text(axis(mark), top - 6, f"{mark:g}×", "soft small", "middle")


def bar(canvas: Canvas, axis: LogAxis, y: float, name: str, one: Compared) -> None:
    assert one.advantage is not None
    start, end = sorted((axis(1), axis(one.advantage)))
    if name:
        canvas.text(20, y + 12, name, "strong")
    canvas.text(LEFT - 12, y + 12, MEASURES[one.measure].title, "soft", "end")
    canvas.bar(start, y + 3, end - start, ROW - 6, "better" if one.advantage >= 1 else "worse")
    goal = goal_advantage(one)
    if goal:
        canvas.diamond(axis(goal), y + ROW / 2, 4.5, "goal")
    canvas.text(RIGHT + 12, y + 12, f"ratio {number(one.ratio)}", "small")


def goal_advantage(one: Compared) -> float | None:
    """The goal as a place on the axis of advantages."""
    if not one.bound:
        return None
    return 1 / one.bound if MEASURES[one.measure].less_is_better else one.bound


def of(cases: Iterable[CaseResult], measure: str) -> Iterator[Shown]:
    for case in cases:
        found = case.measure(measure)
        if found is not None:
            yield case.name, found


def speed_panel(canvas: Canvas, top: float, title: str, rows: list[Shown]) -> float:
    """Where it ends."""
    legend(canvas, 20, top, title)
    most = max((max(one.their_median, one.our_median) for _, one in rows), default=1.0)
    y = top + 14
    for name, one in rows:
        canvas.text(PANEL_LEFT - 8, y + 13, name, "small", "end")
        for index, (value, colour) in enumerate(pair(one)):
            width = value / most * PANEL_WIDTH
            canvas.bar(PANEL_LEFT, y + 1 + index * 10, width, 8, colour)
            canvas.text(PANEL_LEFT + width + 5, y + 9 + index * 10, number(value), "soft small")
        y += ROW + 2 * GAP
    return y


def waiting_panel(canvas: Canvas, top: float, rows: list[Shown]) -> float:
    left = SECOND_PANEL + 150
    legend(canvas, SECOND_PANEL, top, "Waiting time, p99 in ms")
    rows = [(name, one) for name, one in rows if min(one.their_median, one.our_median) > 0]
    if not rows:
        return top
    axis = LogAxis([value for _, one in rows for value, _ in pair(one)], left, WIDTH - 30)
    y = top + 28
    bottom = y + len(rows) * ROW
    for mark in axis.marks(10.0**power for power in range(-3, 6)):
        canvas.line(axis(mark), y, axis(mark), bottom, "line", 0.75)
        canvas.text(axis(mark), y - 5, f"{mark:g}", "soft small", "middle")
    for name, one in rows:
        middle = y + ROW / 2
        canvas.text(left - 10, middle + 4, name, "small", "end")
        canvas.line(axis(one.their_median), middle, axis(one.our_median), middle, "line", 2.5)
        for value, colour in pair(one):
            canvas.dot(axis(value), middle, 4.0, colour)
        y += ROW
    return y


def pair(one: Compared) -> tuple[tuple[float, str], tuple[float, str]]:
    return (one.their_median, "theirs"), (one.our_median, "ours")


def legend(canvas: Canvas, x: float, y: float, words: str) -> None:
    canvas.text(x, y, words, "head")
    canvas.dot(x + 186, y - 4, 4, "theirs")
    canvas.text(x + 195, y, "Apache Kafka", "soft small")
    canvas.dot(x + 286, y - 4, 4, "ours")
    canvas.text(x + 295, y, "Moldau", "soft small")
