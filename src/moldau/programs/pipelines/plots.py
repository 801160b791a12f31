"""Small pictures for a report, in the page itself: no script, no font and no file of its own.

Columns are SVG, which grows and shrinks with the page; bars are boxes of HTML, whose texts stay as
large as they are on a narrow screen. `STYLE` is what both need of a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from math import floor, log10

import numpy as np

__all__ = ["STYLE", "Point", "bar_chart", "column_chart", "figure", "time_chart"]

Point = tuple[int, float]
"""The beginning of an hour or a day, in milliseconds since 1970, and what is in it."""

WIDTH = 720
HEIGHT = 230
MARGIN = 58
TOP = 34
"""Above the highest column: the unit and the legend."""
LEGEND_WIDTH = 120
COLORS = ("#2f6f8f", "#c8553d", "#e0a458", "#588b5f", "#7a5c8e", "#999999")
HOUR_MS, DAY_MS = 3_600_000, 86_400_000
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
EVERY = (1, 2, 3, 6, 12, 24, 48, 96, 192, 384, 10**6)
"""Hours, or days, from label to label: round ones, so that they are read at a glance."""
COLUMN_WIDTH_MAX = 60
LABELS_MAX = 12
"""So many fit side by side below a column chart."""
BAR_SHARE = 72
"""Per cent that the longest bar takes; the rest is for its number."""
FRACTIONS_BELOW = 100
ALMOST = 1 - 1e-9
ROUND = (1, 2, 2.5, 4, 5, 10)
"""Where an axis may end: half of it is a short number, too."""
THOUSANDS = ((10**9, " G"), (10**6, " M"), (10**4, " k"))
"""From where on an axis has short numbers, and what stands behind them."""
STYLE = """
svg { display: block; width: 100%; max-width: 720px; height: auto; overflow: visible; }
svg text { font: 12px system-ui, sans-serif; fill: #444; }
.bars { display: grid; grid-template-columns: fit-content(45%) 1fr; gap: .35rem .6rem;
        max-width: 720px; }
.bars > :nth-child(odd) { text-align: right; overflow-wrap: anywhere; }
.bars > :nth-child(even) { display: flex; align-items: center; gap: .4rem; white-space: nowrap; }
.bars i { background: #2f6f8f; height: 1.1rem; min-width: 1px; }
.none, .unit { color: #444; margin: 0 0 .3rem; } .unit { font-size: 12px; }
@media (max-width: 640px) { svg text { font-size: 19px; } .thin { display: none; } }
"""


def column_chart(labels: Sequence[str], series: Mapping[str, Sequence[float]], unit: str) -> str:
    """Stacked columns, one for each label, with a legend of what is there at all."""
    shown = {name: values for name, values in series.items() if any(values)}
    highest = _end_of_axis(
        max((sum(stack) for stack in zip(*shown.values(), strict=True)), default=0)
    )
    step = (WIDTH - MARGIN) / max(1, len(labels))
    parts = [_grid(highest, unit)]
    width = min(step * 0.8, COLUMN_WIDTH_MAX)
    every = len(labels) // LABELS_MAX + 1
    for index, label in enumerate(labels):
        left, top = MARGIN + index * step, float(HEIGHT)
        for color, (name, values) in zip(_colors(len(shown)), shown.items(), strict=True):
            height = values[index] / highest * (HEIGHT - TOP)
            top -= height
            hint = f"{label}: {figure(values[index])} {name}"
            parts.append(_box(left + (step - width) / 2, top, width, height, color, hint))
        if index % every == 0:
            is_thin = len(labels) > LABELS_MAX / 2 and index // every % 2 == 1
            parts.append(_text(left + step / 2, HEIGHT + 22, label, "middle", is_thin=is_thin))
    for index, (name, color) in enumerate(zip(shown, _colors(len(shown)), strict=True)):
        left = WIDTH - (len(shown) - index) * LEGEND_WIDTH
        parts.append(_box(left, 2, 12, 12, color, name))
        parts.append(_text(left + 18, 13, name))
    return _svg(HEIGHT + 32, parts)


def time_chart(points: Sequence[Point], unit: str) -> str:
    """Columns over time, in UTC: hours without anything have their place, too."""
    first_ms, last_ms = points[0][0], points[-1][0]
    gaps_ms = [later - earlier for (earlier, _), (later, _) in pairwise(points)]
    period_ms = HOUR_MS if min(gaps_ms, default=HOUR_MS) < DAY_MS else DAY_MS
    count = (last_ms - first_ms) // period_ms + 1
    step = (WIDTH - MARGIN) / count
    highest = _end_of_axis(max((value for _, value in points), default=0))
    parts = [_grid(highest, unit)]
    width = min(step * 0.8, COLUMN_WIDTH_MAX)
    for time_ms, value in points:
        middle = MARGIN + ((time_ms - first_ms) / period_ms + 0.5) * step
        height = value / highest * (HEIGHT - TOP)
        hint = f"{_moment(time_ms, period_ms)}: {figure(value)} {unit}"
        box = _box(middle - width / 2, HEIGHT - height, width, height, COLORS[0], hint)
        parts.append(box)
    times_ms = range(first_ms, last_ms + 1, period_ms)
    for place, (index, clock, date) in enumerate(_time_labels(times_ms, period_ms)):
        middle = MARGIN + (index + 0.5) * step
        is_thin = count > LABELS_MAX / 2 and place % 2 == 1
        parts.append(_text(middle, HEIGHT + 22, clock or date, "middle", is_thin=is_thin))
        if clock and date:
            parts.append(_text(middle, HEIGHT + 42, date, "middle"))
    parts.append(_text(WIDTH, HEIGHT + 42, "UTC", "end"))
    return _svg(HEIGHT + 52, parts)


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


def _moment(time_ms: int, period_ms: int) -> str:
    clock = f" {time_ms // HOUR_MS % 24:02d}:00" if period_ms == HOUR_MS else ""
    return f"{_date(time_ms)}{clock}"


def bar_chart(bars: Sequence[tuple[str, float]], unit: str) -> str:
    """Bars from left to right, one a line, with their values."""
    if not bars:
        return '<p class="none">None.</p>'
    highest = max(value for _, value in bars) or 1
    lines = (
        f"<span>{escape(label)}</span>"
        f'<span><i style="width: {value / highest * BAR_SHARE:.1f}%"></i>{figure(value)}</span>'
        for label, value in bars
    )
    return f'<p class="unit">{escape(unit)}</p><div class="bars">{"".join(lines)}</div>'


def figure(value: float) -> str:
    """A number in full, as short as it can be without being another one."""
    if float(value).is_integer():
        return f"{value:,.0f}"
    return f"{value:,.2f}" if abs(value) < FRACTIONS_BELOW else f"{value:,.0f}"


def _end_of_axis(highest: float) -> float:
    """A round number that is not much larger."""
    if highest <= 0:
        return 1
    power: float = 10 ** floor(log10(highest))
    return next(each * power for each in ROUND if each * power >= highest * ALMOST)


def _on_axis(value: float) -> str:
    for thousand, behind in THOUSANDS:
        if value >= thousand:
            short = value / (10**3 if thousand == 10**4 else thousand)
            return f"{short:,.4g}{behind}"
    return f"{value:,.4g}" if value < 1_000 else f"{value:,.0f}"


def _grid(highest: float, unit: str) -> str:
    """Three thin lines with what they stand for, and above them of what."""
    lines = [_text(0, 13, unit)]
    for share in (0.0, 0.5, 1.0):
        top = HEIGHT - share * (HEIGHT - TOP)
        lines.append(
            f'<line x1="{MARGIN}" x2="{WIDTH}" y1="{top:.1f}" y2="{top:.1f}" stroke="#ddd"/>'
        )
        lines.append(_text(MARGIN - 6, top + 4, _on_axis(share * highest), "end"))
    return "".join(lines)


def _box(left: float, top: float, width: float, height: float, color: str, hint: str) -> str:
    place = f'x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {place} fill="{color}"><title>{escape(hint)}</title></rect>'


def _text(
    left: float, top: float, text: str, anchor: str = "start", *, is_thin: bool = False
) -> str:
    """One that is thin is left out on a narrow screen."""
    thin = ' class="thin"' if is_thin else ""
    place = f'x="{left:.1f}" y="{top:.1f}" text-anchor="{anchor}"'
    return f"<text {place}{thin}>{escape(text)}</text>"


def _svg(height: int, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img">{"".join(parts)}</svg>'


def _colors(count: int) -> list[str]:
    return [COLORS[index % len(COLORS)] for index in range(count)]
