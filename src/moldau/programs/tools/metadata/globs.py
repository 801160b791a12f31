"""Paths of the tree, and patterns of them: `*`, `?` and `{one,other}` inside one name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.tools.metadata.tree import Directory, Node

__all__ = ["Found", "candidates", "find", "names_in"]


@dataclass(frozen=True, slots=True)
class Found:
    """A node, and the names that lead to it."""

    names: tuple[str, ...]
    node: Node

    @property
    def last_name(self) -> str:
        return self.names[-1] if self.names else "/"

    @property
    def path(self) -> str:
        return "/" + "/".join(self.names)


def find(root: Directory, working: str, path: str) -> list[Found]:
    """All nodes that a path may mean, seen from a directory."""
    found = [Found((), root)]
    for name in names_in(path if path.startswith("/") else f"{working}/{path}"):
        found = [child for one in found for child in _children(one, name)]
    return found


def names_in(path: str) -> list[str]:
    """Without what `.` and `..` stand for."""
    names: list[str] = []
    for name in path.split("/"):
        if name == "..":
            names[-1:] = []
        elif name not in ("", "."):
            names.append(name)
    return names


def _children(parent: Found, name: str) -> Iterator[Found]:
    if not isinstance(parent.node, Directory):
        return
    pattern = _pattern(name)
    names = [name] if pattern is None else filter(pattern.fullmatch, parent.node.names())
    for one in names:
        node = parent.node.child(one)
        if node is not None:
            yield Found((*parent.names, one), node)


def _pattern(name: str) -> re.Pattern[str] | None:
    """None for a name that means itself; also where a bracket is not closed."""
    parts = re.findall(r"\\.|.", name, re.DOTALL)
    text, inside, is_literal = "", False, True
    for part in parts:
        is_literal &= part not in ("*", "?", "{")
        if part == "{":
            if inside:
                return None
            text, inside = f"{text}(?:", True
        elif inside and part in (",", "}"):
            text, inside = text + ("|" if part == "," else ")"), part == ","
        else:
            text += {"*": ".*", "?": "."}.get(part) or re.escape(part[-1])
    return None if is_literal or inside else re.compile(text, re.DOTALL)


def candidates(root: Directory, working: str, begun: str) -> list[str]:
    """How a path that was begun may go on."""
    head, slash, last = begun.rpartition("/")
    found = find(root, working, head + slash or ".")
    if not found or not isinstance(found[0].node, Directory):
        return []
    parent = found[0].node
    names = [name for name in parent.names() if name.startswith(last)]
    ends = ("/" if isinstance(parent.child(name), Directory) else "" for name in names)
    return [f"{head}{slash}{name}{end}" for name, end in zip(names, ends, strict=True)]
