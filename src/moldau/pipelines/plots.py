"""Small pictures for a report, as SVG in the page: no script, no font and no file of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

__all__ = ["bar_chart", "column_chart"]

WIDTH = 720
HEIGHT = 220
MARGIN = 48
ROW = 26
LABEL_WIDTH = 180
COLORS = ("#2f6f8f", "#c8553d", "#e0a458", "#588b5f", "#7a5c8e", "#999999")
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
            parts.append(_box(left + step * 0.1, top, step * 0.8, height, color))
        if index % (len(labels) // LABELS_MAX + 1) == 0:
            parts.append(_text(left + step / 2, HEIGHT + 16, label, "middle"))
    for index, (name, color) in enumerate(zip(series, _colors(len(series)), strict=True)):
        parts.append(_box(MARGIN + index * 120, 2, 12, 12, color))
        parts.append(_text(MARGIN + index * 120 + 18, 13, name))
    return _svg(HEIGHT + 28, parts)


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
