"""Tables of the newer of Kafka's tools: columns as wide as they need, each ended by a tab."""

from __future__ import annotations

from collections.abc import Sequence

from moldau.programs.tools.command import World

__all__ = ["print_table"]


def print_table(heads: Sequence[str], rows: Sequence[Sequence[object]], world: World) -> None:
    if world.takes(heads, rows):
        return
    texts = [list(heads), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[index]) for row in texts) for index in range(len(heads))]
    for row in texts:
        world.out.write(
            "".join(f"{text:<{width}}\t" for text, width in zip(row, widths, strict=True))
        )
        world.out.write("\n")
