"""What `$ref` means: a place in this document or in one of its references."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import unquote

from moldau.schemas.model import InvalidSchemaError

__all__ = ["Document", "Node", "nodes_of"]

Node: TypeAlias = Any
"""A schema: an object, true or false."""
INDEX: Final = re.compile(r"[0-9]{1,9}")
FOLLOWED_MAX: Final = 50
"""References that lead to references."""


class Document:
    """One schema, and the documents that it may refer to."""

    def __init__(self, root: Node, others: Mapping[str, Node]) -> None:
        self.root = root
        self._documents: dict[str, Node] = {"": root, **others}
        self._places: dict[str, Node] = {}
        self._homes: dict[int, str] = {}
        """The document of each node by its identity: a fragment alone is a place in that one."""
        for name, other in self._documents.items():
            for node in nodes_of(other):
                self._homes[id(node)] = name
                self._note(name, node)

    def _note(self, name: str, node: Node) -> None:
        for key in ("$id", "id"):
            if isinstance(node.get(key), str):
                self._places.setdefault(node[key].rstrip("#"), node)
        if isinstance(node.get("$anchor"), str):
            self._places.setdefault(f"{name}#{node['$anchor']}", node)

    def check(self) -> None:
        """Every reference leads somewhere; or `InvalidSchemaError`."""
        for node in nodes_of(self.root):
            if "$ref" in node:
                self.follow(node)

    def follow(self, node: Node) -> Node:
        """The schema that it stands for; keywords beside `$ref` are left out, as in old drafts."""
        for _ in range(FOLLOWED_MAX):
            if not isinstance(node, dict) or not isinstance(node.get("$ref"), str):
                return node
            node = self.target(node["$ref"], node)
        raise InvalidSchemaError("a $ref leads to itself")

    def target(self, reference: str, node: Node) -> Node:
        """What the reference in that node leads to."""
        home = self._homes.get(id(node), "")
        name, _, fragment = reference.partition("#")
        if not name and f"{home}{reference}" in self._places:
            return self._places[f"{home}{reference}"]
        if reference in self._places:
            return self._places[reference]
        base = self._places.get(name) if name else self._documents[home]
        if base is None:
            base = self._documents.get(name)
        if base is None:
            raise InvalidSchemaError(f"the $ref {reference} is not among the references")
        if not fragment:
            return base
        if not fragment.startswith("/"):
            raise InvalidSchemaError(f"the $ref {reference} leads to no anchor")
        return _at(base, fragment, reference)


def _at(node: Node, pointer: str, reference: str) -> Node:
    for part in pointer.split("/")[1:]:
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict) and key in node:
            node = node[key]
        elif isinstance(node, list) and INDEX.fullmatch(key) and int(key) < len(node):
            node = node[int(key)]
        else:
            raise InvalidSchemaError(f"the $ref {reference} leads nowhere")
    return node


def nodes_of(node: Node) -> Iterator[dict[str, Any]]:
    """Every object in it; values of enum and const are data, and no schemas."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield one
            waiting += [
                value
                for key, value in one.items()
                if key not in ("enum", "const", "default", "examples")
            ]
        elif isinstance(one, list):
            waiting += one
