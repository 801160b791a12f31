"""Tables of text: columns as wide as what is in them, numbers at the right."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["count_text", "size_text", "table_lines"]

GAP = "  "
UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
STEP = 1024


def table_lines(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """The heads, and a line for each row."""
    texts = [[_text(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *texts, strict=True)]
    numeric = [
        bool(rows) and all(isinstance(row[place], int | float | None) for row in rows)
        for place in range(len(heads))
    ]
    return [_line(one, widths, numeric) for one in (heads, *texts)]


def _line(texts: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    cells = (
        text.rjust(width) if right else text.ljust(width)
        for text, width, right in zip(texts, widths, numeric, strict=True)
    )
    return GAP.join(cells).rstrip()


def _text(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def size_text(size: float) -> str:
    """Such as `3.4 MiB`."""
    for unit in UNITS[:-1]:
        if size < STEP:
            return f"{size:.0f} {unit}" if unit == UNITS[0] else f"{size:.1f} {unit}"
        size /= STEP
    return f"{size:.1f} {UNITS[-1]}"


def count_text(count: int, noun: str) -> str:
    """Such as `1 group` and `3 groups`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
