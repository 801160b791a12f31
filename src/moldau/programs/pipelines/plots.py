"""Small pictures for a report, as SVG in the page: no script, no font and no file of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise

import numpy as np

__all__ = ["Point", "bar_chart", "column_chart", "time_chart"]

Point = tuple[int, float]
"""The beginning of an hour or a day, in milliseconds since 1970, and what is in it."""

WIDTH = 720
HEIGHT = 220
MARGIN = 48
ROW = 26
LABEL_WIDTH = 180
COLORS = ("#2f6f8f", "#c8553d", "#e0a458", "#588b5f", "#7a5c8e", "#999999")
HOUR_MS, DAY_MS = 3_600_000, 86_400_000
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
EVERY = (1, 2, 3, 6, 12, 24, 48, 96, 192, 384, 10**6)
"""Hours, or days, from label to label: round ones, so that they are read at a glance."""
COLUMN_WIDTH_MAX = 60
LABELS_MAX = 12
"""So many fit side by side below a column chart."""


def column_chart(labels: Sequence[str], series: Mapping[str, Sequence[float]]) -> str:
    """Stacked columns, one for each label, with a legend."""
    highest = max((sum(stack) for stack in zip(*series.values(), strict=True)), default=0) or 1
    step = (WIDTH - MARGIN) / max(1, len(labels))
    parts = [_grid(highest)]
    for index, label in enumerate(labels):
        left, top = MARGIN + index * step, float(HEIGHT)
        for color, values in zip(_colors(len(series)), series.values(), strict=True):
            height = values[index] / highest * (HEIGHT - MARGIN)
            top -= height
            width = min(step * 0.8, COLUMN_WIDTH_MAX)
            parts.append(_box(left + (step - width) / 2, top, width, height, color))
        if index % (len(labels) // LABELS_MAX + 1) == 0:
            parts.append(_text(left + step / 2, HEIGHT + 16, label, "middle"))
    for index, (name, color) in enumerate(zip(series, _colors(len(series)), strict=True)):
        parts.append(_box(MARGIN + index * 120, 2, 12, 12, color))
        parts.append(_text(MARGIN + index * 120 + 18, 13, name))
    return _svg(HEIGHT + 28, parts)


def time_chart(points: Sequence[Point]) -> str:
    """Columns over time, in UTC: hours without anything have their place, too."""
    first_ms, last_ms = points[0][0], points[-1][0]
    gaps_ms = [later - earlier for (earlier, _), (later, _) in pairwise(points)]
    period_ms = HOUR_MS if min(gaps_ms, default=HOUR_MS) < DAY_MS else DAY_MS
    count = (last_ms - first_ms) // period_ms + 1
    step = (WIDTH - MARGIN) / count
    highest = max((value for _, value in points), default=0) or 1
    parts = [_grid(highest)]
    width = min(step * 0.8, COLUMN_WIDTH_MAX)
    for time_ms, value in points:
        middle = MARGIN + ((time_ms - first_ms) / period_ms + 0.5) * step
        height = value / highest * (HEIGHT - MARGIN)
        parts.append(_box(middle - width / 2, HEIGHT - height, width, height, COLORS[0]))
    times_ms = range(first_ms, last_ms + 1, period_ms)
    for index, clock, date in _time_labels(times_ms, period_ms):
        middle = MARGIN + (index + 0.5) * step
        parts.append(_text(middle, HEIGHT + 16, clock or date, "middle"))
        if clock and date:
            parts.append(_text(middle, HEIGHT + 32, date, "middle"))
    parts.append(_text(WIDTH, HEIGHT + 32, "UTC", "end"))
    return _svg(HEIGHT + 44, parts)


def _time_labels(times_ms: range, period_ms: int) -> Iterator[tuple[int, str, str]]:
    """Index, time of day and date of those that have a label; a date stands where it is new."""
    every_ms = period_ms * next(each for each in EVERY if len(times_ms) <= each * LABELS_MAX)
    labelled = [index for index, time_ms in enumerate(times_ms) if time_ms % every_ms == 0]
    before = ""
    for index in labelled or [0]:
        clock = f"{times_ms[index] // HOUR_MS % 24:02d}:00" if period_ms == HOUR_MS else ""
        date = _date(times_ms[index])
        yield index, clock, "" if date == before else date
        before = date


def _date(time_ms: int) -> str:
    _, month, day = str(np.datetime64(time_ms, "ms").astype("datetime64[D]")).split("-")
    return f"{int(day)} {MONTHS[int(month) - 1]}"


def bar_chart(bars: Sequence[tuple[str, float]]) -> str:
    """Bars from left to right, one a line, with their values."""
    highest = max((value for _, value in bars), default=0) or 1
    room = WIDTH - LABEL_WIDTH - 90
    parts = []
    for index, (label, value) in enumerate(bars):
        width = value / highest * room
        parts.append(_text(LABEL_WIDTH - 8, index * ROW + 17, label, "end"))
        parts.append(_box(LABEL_WIDTH, index * ROW + 4, width, ROW - 8, COLORS[0]))
        parts.append(_text(LABEL_WIDTH + width + 6, index * ROW + 17, f"{value:,.0f}"))
    return _svg(max(1, len(bars)) * ROW, parts)


def _grid(highest: float) -> str:
    """Three thin lines with what they stand for."""
    lines = []
    for share in (0.0, 0.5, 1.0):
        top = HEIGHT - share * (HEIGHT - MARGIN)
        lines.append(
            f'<line x1="{MARGIN}" x2="{WIDTH}" y1="{top:.1f}" y2="{top:.1f}" stroke="#ddd"/>'
        )
        lines.append(_text(MARGIN - 6, top + 4, f"{share * highest:,.0f}", "end"))
    return "".join(lines)


def _box(left: float, top: float, width: float, height: float, color: str) -> str:
    place = f'x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {place} fill="{color}"/>'


def _text(left: float, top: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{left:.1f}" y="{top:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(height: int, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img">{"".join(parts)}</svg>'


def _colors(count: int) -> list[str]:
    return [COLORS[index % len(COLORS)] for index in range(count)]
