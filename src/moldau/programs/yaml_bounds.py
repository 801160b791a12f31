"""How much a document of YAML comes to once each alias stands for what it names.

Nine lines, each with nine aliases of the line before, are some hundred million values, and an alias
within what it names has no end. What walks over a document relies on this.
"""

from __future__ import annotations

from typing import Any

__all__ = ["DEPTH_MAX", "VALUES_MAX", "TooMuchYamlError", "judge_bounds"]

VALUES_MAX = 100_000
"""Of what aliases add; what a file itself has is as long as the file."""
DEPTH_MAX = 100


class TooMuchYamlError(Exception):
    """Why, and the node where it shows."""

    def __init__(self, node: object, reason: str) -> None:
        super().__init__(reason)
        self.node = node


def judge_bounds(root: object) -> None:
    """Each node is looked at once; a node that is named again has its size already."""
    sizes: dict[int, tuple[int, int]] = {}
    count, _ = _size_of(root, 1, sizes, set())
    if count - len(sizes) > VALUES_MAX:
        raise TooMuchYamlError(
            root, f"its aliases stand for {count} values, and {VALUES_MAX} are the most"
        )


def _size_of(
    node: object,
    depth: int,
    sizes: dict[int, tuple[int, int]],
    around: set[int],
) -> tuple[int, int]:
    """How many values, and how deep."""
    if id(node) in around:
        raise TooMuchYamlError(node, "an alias stands within what it names, which has no end")
    known = sizes.get(id(node))
    if known is None:
        if depth > DEPTH_MAX:
            raise TooMuchYamlError(node, f"it is nested deeper than {DEPTH_MAX} levels")
        around.add(id(node))
        found = [_size_of(one, depth + 1, sizes, around) for one in _children(node)]
        around.discard(id(node))
        known = 1 + sum(size for size, _ in found), 1 + max((high for _, high in found), default=0)
        sizes[id(node)] = known
    if depth + known[1] > DEPTH_MAX + 1:
        raise TooMuchYamlError(node, f"it is nested deeper than {DEPTH_MAX} levels")
    return known


def _children(node: Any) -> list[Any]:  # noqa: ANN401
    if node.id == "mapping":
        return [one for pair in node.value for one in pair]
    return list(node.value) if node.id == "sequence" else []
