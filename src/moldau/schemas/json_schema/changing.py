"""Values of a JSON Schema with some of their fields changed: encrypted, or read again.

A value may be described in several places: behind a `$ref`, in branches of `anyOf`. All that may
hold for it are followed at once, so that a field is changed once whatever number of them names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from moldau.schemas.json_schema.pointers import Document, Node
from moldau.schemas.parsed import INLINE_TAGS, ChangeField, Field

__all__ = ["changed_json"]

BRANCHES: Final = ("allOf", "anyOf", "oneOf")
ROOT: Final = "$"
KINDS: Final[Mapping[type, str]] = {str: "STRING", float: "DOUBLE", bool: "BOOLEAN"}


def changed_json(document: Document, value: Any, change: ChangeField) -> Any:
    """A copy; what no schema names as a property stays as it is."""
    return _Changing(document, change).changed(_Nodes(document, [document.root]), value, ROOT)


class _Nodes:
    """All schemas that may hold for one value."""

    def __init__(self, document: Document, nodes: Sequence[Node]) -> None:
        self._document = document
        self.every = list(self._spread(nodes))

    def _spread(self, nodes: Sequence[Node]) -> Iterator[dict[str, Any]]:
        seen: set[int] = set()
        waiting = [*nodes]
        while waiting:
            node = waiting.pop()
            if not isinstance(node, dict) or id(node) in seen:
                continue
            seen.add(id(node))
            yield node
            if isinstance(node.get("$ref"), str):
                waiting.append(self._document.follow(node))
            waiting += [one for name in BRANCHES for one in _listed(node.get(name))]

    def named(self, name: str) -> _Nodes:
        found = [node["properties"][name] for node in self.every if name in _properties(node)]
        return _Nodes(self._document, found)

    def items(self) -> _Nodes:
        found = [one for node in self.every for one in _listed(node.get("items"))]
        return _Nodes(self._document, found)

    @property
    def tags(self) -> frozenset[str]:
        return frozenset(str(tag) for node in self.every for tag in _listed(node.get(INLINE_TAGS)))

    def kind_of(self, value: Any) -> str:
        """As Confluent's rules name it."""
        if any("enum" in node or "const" in node for node in self.every):
            return "ENUM"
        if isinstance(value, int) and not isinstance(value, bool):
            named = {name for node in self.every for name in _listed(node.get("type"))}
            return "DOUBLE" if "number" in named and "integer" not in named else "INT"
        return KINDS.get(type(value), "NULL")


class _Changing:
    def __init__(self, document: Document, change: ChangeField) -> None:
        self._document = document
        self._change = change

    def changed(
        self,
        nodes: _Nodes,
        value: Any,
        path: str,
        tags: frozenset[str] = frozenset(),
        holder: Any = None,
    ) -> Any:
        if isinstance(value, dict):
            return {
                name: self._property(nodes.named(name), one, f"{path}.{name}", value)
                for name, one in value.items()
            }
        if isinstance(value, list):
            return [self.changed(nodes.items(), one, path, tags, holder) for one in value]
        if value is None or path == ROOT:
            return value
        return self._change(Field(path, tags, nodes.kind_of(value), holder), value)

    def _property(self, nodes: _Nodes, value: Any, path: str, holder: Any) -> Any:
        return self.changed(nodes, value, path, nodes.tags, holder) if nodes.every else value


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _properties(node: dict[str, Any]) -> dict[str, Any]:
    found = node.get("properties")
    return found if isinstance(found, dict) else {}
