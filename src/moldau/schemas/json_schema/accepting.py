"""Whether a reader's JSON Schema accepts everything that a writer's accepts.

In general that cannot be decided, so the answer errs on one side: what is not found to be accepted
is a difference. A pair that is being compared already is taken to fit, so that schemas that hold
themselves come to an end.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from moldau.schemas.json_schema.bounds import bound_differences
from moldau.schemas.json_schema.pointers import Document, Node
from moldau.schemas.json_schema.properties import LENIENT, object_differences
from moldau.schemas.parsed import Difference

__all__ = ["Comparison"]

ALL: Final = frozenset(("null", "boolean", "number", "integer", "string", "array", "object"))
SUMS: Final = ("anyOf", "oneOf")
KINDS: Final = (
    (type(None), "null"),
    (bool, "boolean"),
    (int, "integer"),
    (str, "string"),
    (list, "array"),
    (dict, "object"),
)
"""In this order: true is an int to Python."""


class Comparison:
    """Compares two documents."""

    def __init__(self, reader: Document, writer: Document, *, lenient: bool = False) -> None:
        self._allowed = LENIENT if lenient else frozenset[str]()
        self._reader = reader
        self._writer = writer
        self._known: dict[tuple[int, int], list[Difference]] = {}
        self._kept: list[Node] = []
        """Nodes that were made on the way: their ids must not be given to others."""

    def compare(self, reader: Node, writer: Node, path: str = "#") -> list[Difference]:
        new, old = self._reader.follow(reader), self._writer.follow(writer)
        pair = (id(new), id(old))
        if pair not in self._known:
            self._known[pair] = []
            self._kept += [new, old]
            found = self._compare(new, old, path)
            self._known[pair] = [one for one in found if one.rule not in self._allowed]
        return self._known[pair]

    def accepts(self, reader: Node, writer: Node, path: str) -> bool:
        return not self.compare(reader, writer, path)

    def _compare(self, new: Node, old: Node, path: str) -> Iterator[Difference]:
        if new is True or new == {} or old is False or _is_same(new, old):
            return
        if new is False:
            yield _difference("TYPE_CHANGED", path, "accepts nothing")
            return
        written: dict[str, Any] = old if isinstance(old, dict) else {}
        split = next((key for key in SUMS if isinstance(written.get(key), list)), None)
        if split is not None and split not in new:
            yield from self._from_sum(new, written, split, path)
        elif split is not None and self._is_larger_sum(new, written, split, path):
            rest = {key: value for key, value in written.items() if key != split}
            yield from self._compare(_without(new, split), rest or True, path)
        else:
            yield from self._simple(new, _merged(self._writer, written), path)

    def _from_sum(
        self, new: Node, old: dict[str, Any], key: str, path: str
    ) -> Iterator[Difference]:
        """Each of its branches has to be accepted."""
        rest = {name: value for name, value in old.items() if name != key}
        for index, branch in enumerate(old[key]):
            followed = self._writer.follow(branch)
            joined = {**rest, **followed} if isinstance(followed, dict) else followed
            yield from self.compare(new, joined, f"{path}/{key}/{index}")

    def _is_larger_sum(self, new: Node, old: dict[str, Any], key: str, path: str) -> bool:
        return all(
            any(self.accepts(mine, branch, f"{path}/{key}") for mine in new[key])
            for branch in old[key]
        )

    def _simple(self, new: dict[str, Any], old: dict[str, Any], path: str) -> Iterator[Difference]:
        for index, branch in enumerate(new.get("allOf", ())):
            yield from self.compare(branch, old, f"{path}/allOf/{index}")
        for key in SUMS:
            if key in new and not any(
                self.accepts(branch, old, f"{path}/{key}") for branch in new[key]
            ):
                yield _difference("SUM_TYPE_NARROWED", f"{path}/{key}", "has no branch for it")
        for key in ("not", "if", "then", "else", "contains", "propertyNames"):
            if key in new and not _is_equal(new[key], old.get(key)):
                rule = "NOT_TYPE_NARROWED" if key == "not" else "COMBINED_TYPE_CHANGED"
                yield _difference(rule, f"{path}/{key}", f"has another {key}")
        yield from _values(new, old, path)
        yield from _types(new, old, path)
        kinds = _kinds(old) & _kinds(new)
        yield from bound_differences(new, old, kinds, path)
        if "array" in kinds:
            yield from self._items(new, old, path)
        if "object" in kinds:
            yield from object_differences(self, new, old, path)

    def _items(self, new: dict[str, Any], old: dict[str, Any], path: str) -> Iterator[Difference]:
        mine, theirs = _tuple(new), _tuple(old)
        for index in range(max(len(mine[0]), len(theirs[0]))):
            here = mine[0][index] if index < len(mine[0]) else mine[1]
            there = theirs[0][index] if index < len(theirs[0]) else theirs[1]
            yield from self.compare(here, there, f"{path}/items/{index}")
        yield from self.compare(mine[1], theirs[1], f"{path}/items")


def _tuple(node: dict[str, Any]) -> tuple[list[Node], Node]:
    """The first items one by one, and all that follow."""
    if "prefixItems" in node:
        return node["prefixItems"], node.get("items", True)
    items = node.get("items", True)
    if isinstance(items, list):
        return items, node.get("additionalItems", True)
    return [], items


def _merged(document: Document, node: dict[str, Any]) -> dict[str, Any]:
    """With what its `allOf` adds, as far as that can be put side by side."""
    found = dict(node)
    for branch in node.get("allOf", ()):
        followed = document.follow(branch)
        for key, value in followed.items() if isinstance(followed, dict) else ():
            if key == "required":
                found[key] = [*found.get(key, ()), *value]
            elif key in ("properties", "$defs", "definitions"):
                found[key] = {**value, **found.get(key, {})}
            else:
                found.setdefault(key, value)
    found.pop("allOf", None)
    return found


def _without(node: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in node.items() if name != key}


def _values(new: dict[str, Any], old: dict[str, Any], path: str) -> Iterator[Difference]:
    mine, theirs = _enum(new), _enum(old)
    if mine is None:
        return
    if theirs is None:
        yield _difference("ENUM_ARRAY_CHANGED", f"{path}/enum", "accepts only some values")
    elif not theirs <= mine:
        missing = ", ".join(sorted(theirs - mine))
        yield _difference("ENUM_ARRAY_NARROWED", f"{path}/enum", f"lacks {missing}")


def _enum(node: dict[str, Any]) -> frozenset[str] | None:
    if "const" in node:
        return frozenset((json.dumps(node["const"], sort_keys=True),))
    if isinstance(node.get("enum"), list):
        return frozenset(json.dumps(value, sort_keys=True) for value in node["enum"])
    return None


def _kinds(node: dict[str, Any]) -> frozenset[str]:
    """Types that it may have, by its `type` and by its values."""
    given = node.get("type", ALL)
    found = frozenset((given,)) if isinstance(given, str) else frozenset(given)
    if "number" in found:
        found |= {"integer"}
    values = [node["const"]] if "const" in node else node.get("enum")
    if isinstance(values, list):
        found &= frozenset(_kind_of(value) for value in values)
    return found


def _kind_of(value: object) -> str:
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    return next(name for kind, name in KINDS if isinstance(value, kind))


def _types(new: dict[str, Any], old: dict[str, Any], path: str) -> Iterator[Difference]:
    mine, theirs = _kinds(new), _kinds(old)
    if theirs <= mine or ("type" not in new and _enum(new) is not None):
        return  # where values differ, they were named already
    rule = "TYPE_NARROWED" if mine & theirs else "TYPE_CHANGED"
    lost = ", ".join(sorted(theirs - mine))
    yield _difference(rule, path, f"does not accept {lost}")


def _is_same(new: Node, old: Node) -> bool:
    """Equal, and without anything whose meaning depends on its document."""
    text = json.dumps(new, sort_keys=True)
    return text == json.dumps(old, sort_keys=True) and '"$ref"' not in text


def _is_equal(one: object, other: object) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _difference(rule: str, path: str, what: str) -> Difference:
    return Difference(rule, path, f"The new schema {what} at path '{path}'")
