"""Whether a value is one that a JSON Schema accepts; drafts 4 to 2020-12.

`format` is a note, as the specification has it by default. Which properties and items a schema has
looked at is gathered on the way, for `unevaluatedProperties` and `unevaluatedItems`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from moldau.schemas.data_errors import DataError
from moldau.schemas.json_schema.assertions import ASSERTIONS, found_in
from moldau.schemas.json_schema.pointers import Document, Node

__all__ = ["Validator"]

OLD_DRAFTS: Final = ("draft-03", "draft-04", "draft-06", "draft-07")
"""In these, nothing counts that stands beside a `$ref`."""
REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")


class _Seen:
    """What of an object or array a schema has looked at."""

    __slots__ = ("items", "names")

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.items: set[int] = set()

    def add(self, other: _Seen) -> None:
        self.names |= other.names
        self.items |= other.items


class Validator:
    """Validates data by one schema."""

    def __init__(self, document: Document) -> None:
        self._document = document
        root = document.root
        draft = str(root.get("$schema", "")) if isinstance(root, dict) else ""
        self._ref_is_alone = any(old in draft for old in OLD_DRAFTS)

    def check(self, value: Any) -> None:
        """`DataError` with the place and the reason for what is not accepted."""
        try:
            self._check(self._document.root, value)
        except RecursionError:
            raise DataError("the value or its schema is nested too deep") from None

    def _accepts(self, node: Node, value: Any) -> _Seen | None:
        try:
            return self._check(node, value)
        except DataError:
            return None

    def _check(self, node: Node, value: Any) -> _Seen:
        seen = _Seen()
        if node is False:
            raise DataError("nothing is accepted here")
        if not isinstance(node, dict):
            return seen
        if self._follow(node, value, seen) and self._ref_is_alone:
            return seen
        _assert(node, value)
        self._combinations(node, value, seen)
        if isinstance(value, Mapping):
            self._object(node, value, seen)
        elif isinstance(value, list | tuple):
            self._array(node, value, seen)
        return seen

    def _follow(self, node: Node, value: Any, seen: _Seen) -> bool:
        found = [node[key] for key in REFERENCES if isinstance(node.get(key), str)]
        for reference in found:
            seen.add(self._check(self._document.target(reference, node), value))
        return bool(found)

    def _combinations(self, node: Node, value: Any, seen: _Seen) -> None:
        for one in node.get("allOf", ()):
            seen.add(self._check(one, value))
        if "anyOf" in node:
            self._sum(node["anyOf"], value, seen, is_one=False)
        if "oneOf" in node:
            self._sum(node["oneOf"], value, seen, is_one=True)
        if "not" in node and self._accepts(node["not"], value) is not None:
            raise DataError("it fits what it must not")
        if "if" in node:
            self._condition(node, value, seen)

    def _sum(self, nodes: list[Node], value: Any, seen: _Seen, *, is_one: bool) -> None:
        looked = (self._accepts(one, value) for one in nodes)
        fitting = [got for got in looked if got is not None]
        if not fitting or (is_one and len(fitting) > 1):
            raise DataError(f"it fits {len(fitting)} of {'oneOf' if is_one else 'anyOf'}")
        for got in fitting:
            seen.add(got)

    def _condition(self, node: Node, value: Any, seen: _Seen) -> None:
        got = self._accepts(node["if"], value)
        if got is not None:
            seen.add(got)
        behind = "else" if got is None else "then"
        if behind in node:
            seen.add(self._check(node[behind], value))

    def _object(self, node: Node, value: Mapping[str, Any], seen: _Seen) -> None:
        properties, patterns = node.get("properties", {}), node.get("patternProperties", {})
        for name, item in value.items():
            schemas = [properties[name]] if name in properties else []
            schemas += [one for pattern, one in patterns.items() if found_in(pattern, name)]
            if not schemas and "additionalProperties" in node:
                schemas = [node["additionalProperties"]]
            for one in schemas:
                self._inside(one, item, name)
                seen.names.add(name)
            if "propertyNames" in node:
                self._inside(node["propertyNames"], name, name)
        self._dependencies(node, value, seen)
        if "unevaluatedProperties" in node:
            for name in value.keys() - seen.names:
                self._inside(node["unevaluatedProperties"], value[name], name)
            seen.names |= value.keys()

    def _dependencies(self, node: Node, value: Mapping[str, Any], seen: _Seen) -> None:
        for key in ("dependencies", "dependentRequired", "dependentSchemas"):
            for name, wanted in node.get(key, {}).items():
                if name not in value:
                    continue
                if isinstance(wanted, list | str):
                    names = [wanted] if isinstance(wanted, str) else wanted
                    missing = [one for one in names if one not in value]
                    if missing:
                        raise DataError(f"{name} needs {missing[0]}")
                else:
                    seen.add(self._check(wanted, value))

    def _array(self, node: Node, value: list[Any] | tuple[Any, ...], seen: _Seen) -> None:
        items = node.get("items")
        first = node.get("prefixItems", items if isinstance(items, list) else ())
        rest = node.get("additionalItems") if isinstance(items, list) else items
        for index, item in enumerate(value):
            one = first[index] if index < len(first) else rest
            if one is not None:
                self._inside(one, item, str(index))
                seen.items.add(index)
        if "contains" in node:
            self._contains(node, value, seen)
        if "unevaluatedItems" in node:
            for index in set(range(len(value))) - seen.items:
                self._inside(node["unevaluatedItems"], value[index], str(index))
            seen.items |= set(range(len(value)))

    def _contains(self, node: Node, value: list[Any] | tuple[Any, ...], seen: _Seen) -> None:
        wanted = node["contains"]
        found = {i for i, item in enumerate(value) if self._accepts(wanted, item) is not None}
        if not node.get("minContains", 1) <= len(found) <= node.get("maxContains", len(value)):
            raise DataError(f"it has {len(found)} items of those that it has to contain")
        seen.items |= found

    def _inside(self, node: Node, value: Any, name: str) -> None:
        try:
            self._check(node, value)
        except DataError as error:
            raise error.under(name) from None


def _assert(node: Node, value: Any) -> None:
    for key, wanted in node.items():
        assertion = ASSERTIONS.get(key)
        reason = None if assertion is None else assertion(wanted, value, node)
        if reason is not None:
            raise DataError(reason)
