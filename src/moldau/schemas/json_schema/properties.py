"""Objects: which properties may be there, which have to, and what they are.

An object without `additionalProperties` may have properties of any name: its content is open, and
a property that a reader adds to it may have been written as anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Protocol

from moldau.schemas.json_schema.pointers import Node
from moldau.schemas.parsed import Difference

__all__ = ["LENIENT", "object_differences"]

LENIENT: Final = frozenset(
    (
        "ADDITIONAL_PROPERTIES_NARROWED",
        "ADDITIONAL_PROPERTIES_REMOVED",
        "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL",
        "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL",
        "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN_CONTENT_MODEL",
    )
)
"""What breaks nothing where writers are known to write only the properties that are named."""
REQUIRED: Final = "REQUIRED_ATTRIBUTE_ADDED"


class _Comparison(Protocol):
    def compare(self, reader: Node, writer: Node, path: str) -> list[Difference]: ...

    def accepts(self, reader: Node, writer: Node, path: str) -> bool: ...


def object_differences(
    comparison: _Comparison, new: dict[str, Any], old: dict[str, Any], path: str
) -> Iterator[Difference]:
    mine, theirs = new.get("properties", {}), old.get("properties", {})
    for name in mine.keys() | theirs.keys():
        place = f"{path}/properties/{name}"
        if name in mine and name in theirs:
            yield from comparison.compare(mine[name], theirs[name], place)
        elif name in mine:
            yield from _added(comparison, new, name, _others(old), place)
        else:
            yield from _removed(comparison, _others(new), theirs[name], place)
    yield from _required(new, old, path)
    yield from _additional(comparison, new, old, path)


def _others(node: dict[str, Any]) -> Node:
    """What properties may be that are not named; patterns are taken for any name."""
    patterns = node.get("patternProperties") or {}
    rest = node.get("additionalProperties", True)
    if not patterns:
        return rest
    return (
        {"anyOf": [*patterns.values(), rest]}
        if rest is not False
        else {"anyOf": list(patterns.values())}
    )


def _added(
    comparison: _Comparison, new: dict[str, Any], name: str, others: Node, path: str
) -> Iterator[Difference]:
    mine = new["properties"][name]
    if others is False or comparison.accepts(mine, others, path):
        return
    is_open = _is_open(others)
    rule = (
        f"{_necessity(new, name)}_ADDED_TO_OPEN_CONTENT_MODEL"
        if is_open
        else "PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
    )
    yield Difference(
        rule,
        path,
        f"The old schema has {'an' if is_open else 'a partially'} open content model, and the new "
        f"one has a property at path '{path}' which is missing in it",
    )


def _is_open(others: Node) -> bool:
    return others is True or others == {}


def _necessity(new: dict[str, Any], name: str) -> str:
    if name not in new.get("required", ()):
        return "OPTIONAL_PROPERTY"
    return f"REQUIRED_PROPERTY{'_WITH_DEFAULT' if _has_default(new, name) else ''}"


def _has_default(node: dict[str, Any], name: str) -> bool:
    described = node.get("properties", {}).get(name)
    return isinstance(described, dict) and "default" in described


def _removed(
    comparison: _Comparison, others: Node, theirs: Node, path: str
) -> Iterator[Difference]:
    if theirs is False or comparison.accepts(others, theirs, path):
        return
    rule = (
        "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL"
        if others is False
        else "PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
    )
    yield Difference(
        rule, path, f"The new schema accepts no property at path '{path}', and the old one has it"
    )


def _required(new: dict[str, Any], old: dict[str, Any], path: str) -> Iterator[Difference]:
    had = old.get("required", ())
    mine, theirs = new.get("properties", {}), old.get("properties", {})
    for name in new.get("required", ()):
        if name in had or _has_default(new, name):
            continue
        is_new = name in mine and name not in theirs
        if is_new and _is_open(_others(old)):
            continue  # named as a property that is added
        rule = "REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL" if is_new else REQUIRED
        text = f"The new schema requires '{name}' at path '{path}', and the old one does not"
        yield Difference(rule, f"{path}/required/{name}", text)


def _additional(
    comparison: _Comparison, new: dict[str, Any], old: dict[str, Any], path: str
) -> Iterator[Difference]:
    mine, theirs = _others(new), _others(old)
    place = f"{path}/additionalProperties"
    if theirs is False or comparison.accepts(mine, theirs, place):
        return
    if mine is not False and not _is_open(theirs):
        yield from comparison.compare(mine, theirs, place)
        return
    rule = "ADDITIONAL_PROPERTIES_REMOVED" if mine is False else "ADDITIONAL_PROPERTIES_NARROWED"
    yield Difference(rule, place, f"The new schema accepts fewer properties at path '{path}'")
