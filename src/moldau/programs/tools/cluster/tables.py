"""Tables of text: columns as wide as what is in them, numbers at the right.

Where a terminal is narrower than its table, each row becomes a block with a line for each value: a
table that is broken at the edge cannot be read. What is still too long for its line is broken
behind commas and at spaces; a name has none and stays whole, so that it can be copied.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TextIO

from moldau.platform.system.host import terminal_columns

__all__ = ["block_lines", "count_text", "size_text", "table_lines", "write_table"]

GAP = "  "
PIECES = re.compile(r"[^ ,]+,? *|, *| +")
"""What may begin a line."""
UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
STEP = 1024


def write_table(heads: Sequence[str], rows: Sequence[Sequence[object]], out: TextIO) -> None:
    """As a table, or as blocks where `out` is a terminal that is too narrow for one."""
    lines = table_lines(heads, rows)
    if out.isatty() and max(map(len, lines)) > (columns := terminal_columns()):
        texts = [[_text(value) for value in row] for row in rows]
        lines = list(block_lines(heads, texts, columns))
    out.writelines(f"{line}\n" for line in lines)


def block_lines(heads: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> Iterator[str]:
    """A line for each value, or some for a long one, and an empty one between rows."""
    width = max(map(len, heads))
    for number, row in enumerate(rows):
        if number:
            yield ""
        for head, text in zip(heads, row, strict=True):
            yield from _block_value(head, text, width, columns)


def _block_value(head: str, text: str, width: int, columns: int) -> Iterator[str]:
    """Beside its head; below it, where a word is too long for that."""
    left = columns - width - len(GAP)
    lines = _broken(text, left)
    if max(map(len, lines)) > left:
        yield head
        yield from (f"{GAP}{line}" for line in _broken(text, columns - len(GAP)))
        return
    for line in lines:
        yield f"{head:<{width}}{GAP}{line}".rstrip()
        head = ""


def _broken(text: str, width: int) -> list[str]:
    """In lines of this width, as far as it has commas and spaces."""
    lines = [""]
    for piece in PIECES.findall(text):
        if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > width:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += piece
    return lines


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
