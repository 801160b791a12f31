"""What `ls` prints: names one a line, or in as many columns as a terminal has room for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from moldau.programs.tools.metadata.globs import Found
from moldau.programs.tools.metadata.tree import Directory

__all__ = ["columns_of", "listing_of"]

GAP = 2
NARROWEST = 4
"""Columns of characters that a column of names takes at least."""


def listing_of(found: Sequence[Found], width: int) -> Iterator[str]:
    """Files first, then the names in each directory, with its own above if there are several."""
    files = [one.last_name for one in found if isinstance(one.node, str)]
    directories = [
        (one.last_name, one.node.names()) for one in found if isinstance(one.node, Directory)
    ]
    yield from columns_of(files, width)
    has_heads = bool(files) or len(directories) > 1
    is_first = not files
    for name, names in directories:
        if has_heads and names:
            yield from ([] if is_first else [""])
            yield f"{name}:"
        is_first = False
        yield from columns_of(names, width)


def columns_of(names: Sequence[str], width: int) -> Iterator[str]:
    """Down the first column, then down the second."""
    if not names:
        return
    for count in range(max(1, width // NARROWEST), 0, -1):
        height = -(-len(names) // count)
        columns = [names[place : place + height] for place in range(0, len(names), height)]
        widths = [max(map(len, column)) + GAP for column in columns]
        if count == 1 or (len(columns) == count and sum(widths) <= width):
            break
    for row in range(height):
        cells = [column[row] for column in columns if row < len(column)]
        last = len(columns) - 1
        yield "".join(
            cell if place == last else cell.ljust(widths[place]) for place, cell in enumerate(cells)
        )
