"""The shapes of JSON Schemas, as far as types have them.

Bounds, patterns and conditions do not show. A property that is not required may be absent, and is
null then.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from moldau.schemas.json_schema.pointers import Document, Node
from moldau.schemas.shapes.model import (
    ANY,
    NO_DEFAULT,
    NULL,
    Enumeration,
    Field,
    ListOf,
    MapOf,
    Nullable,
    Scalar,
    Shape,
    Struct,
    choice_of,
)

__all__ = ["json_shape"]

TEXT: Final = Scalar("string")
SIMPLE: Final = {
    "null": NULL,
    "boolean": Scalar("boolean"),
    "integer": Scalar("long"),
    "number": Scalar("double"),
    "string": TEXT,
}
FORMATS: Final = {
    "date-time": Scalar("instant"),
    "date": Scalar("date"),
    "uuid": Scalar("uuid"),
}
OF_VALUES: Final = {
    bool: "boolean",
    int: "long",
    float: "double",
    str: "string",
    type(None): "null",
}


def json_shape(document: Document) -> Shape:
    return _Shaping(document).of(document.root, "Record")


class _Shaping:
    """Each object is one struct, wherever a $ref leads to it."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: dict[int, Shape] = {}

    def of(self, node: Node, name: str) -> Shape:
        if isinstance(node, dict) and isinstance(node.get("$ref"), str):
            name = _last_of(node["$ref"]) or name
        node = self._document.follow(node)
        if not isinstance(node, dict):
            return ANY
        if id(node) not in self._known:
            self._known[id(node)] = ANY  # where a schema that is no object leads to itself
            self._known[id(node)] = self._shape(node, _title(node) or name)
        return self._known[id(node)]

    def _shape(self, node: dict[str, Any], name: str) -> Shape:
        if "const" in node or isinstance(node.get("enum"), list):
            return _of_values(node["enum"] if "enum" in node else [node["const"]])
        if isinstance(node.get("properties"), dict) or "allOf" in node:
            shape: Shape = self._struct(node, name)
            kinds = node.get("type")
            return Nullable(shape) if isinstance(kinds, list) and "null" in kinds else shape
        for key in ("anyOf", "oneOf"):
            if isinstance(node.get(key), list):
                return choice_of(self.of(one, name) for one in node[key])
        kinds = node.get("type")
        if isinstance(kinds, list):
            return choice_of(self._typed(node, str(kind), name) for kind in kinds)
        return self._typed(node, str(kinds), name)

    def _typed(self, node: dict[str, Any], kind: str, name: str) -> Shape:
        if kind == "array":
            items = node.get("items")
            return ListOf(self.of(items, f"{name}Item") if isinstance(items, dict) else ANY)
        if kind == "object":
            more = node.get("additionalProperties")
            return MapOf(TEXT, self.of(more, f"{name}Value") if isinstance(more, dict) else ANY)
        if kind == "string":
            return FORMATS.get(str(node.get("format")), TEXT)
        return SIMPLE.get(kind, ANY)

    def _struct(self, node: dict[str, Any], name: str) -> Shape:
        found = Struct(name, str(node.get("description") or ""))
        self._known[id(node)] = found
        parts = list(self._parts(node))
        required = {name for part in parts for name in _names(part.get("required"))}
        for part in parts:
            given = part.get("properties")
            for key, value in given.items() if isinstance(given, dict) else ():
                if all(field.name != key for field in found.fields):
                    found.fields.append(self._field(key, value, key in required))
        if not found.fields and "allOf" in node:
            return choice_of([self.of(one, name) for one in node["allOf"][:1]])
        return found

    def _parts(self, node: dict[str, Any]) -> Iterable[dict[str, Any]]:
        """The schema, and all that it is at the same time."""
        waiting, seen = [node], set()
        while waiting:
            one = self._document.follow(waiting.pop(0))
            if isinstance(one, dict) and id(one) not in seen:
                seen.add(id(one))
                yield one
                waiting += one.get("allOf") or ()

    def _field(self, name: str, node: Node, is_required: bool) -> Field:
        shape = self.of(node, name[:1].upper() + name[1:])
        given = node.get("default", NO_DEFAULT) if isinstance(node, dict) else NO_DEFAULT
        if type(given) in OF_VALUES and given is not None and _fits(shape, given):
            return Field(name, shape, given)
        if is_required:
            return Field(name, shape)
        return Field(name, choice_of((shape, NULL)), None)


def _fits(shape: Shape, given: object) -> bool:
    inner = shape.inner if isinstance(shape, Nullable) else shape
    if isinstance(inner, Enumeration):
        return given in inner.symbols
    return isinstance(inner, Scalar) and inner.kind == OF_VALUES[type(given)]


def _of_values(values: list[Any]) -> Shape:
    texts = tuple(value for value in values if isinstance(value, str))
    if not values or any(type(value) not in OF_VALUES for value in values):
        return ANY
    others = [Scalar(OF_VALUES[type(value)]) for value in values if not isinstance(value, str)]
    return choice_of([*([Enumeration("", texts)] if texts else []), *others])


def _names(given: object) -> list[str]:
    return [one for one in given if isinstance(one, str)] if isinstance(given, list) else []


def _title(node: dict[str, Any]) -> str:
    title = node.get("title")
    return title if isinstance(title, str) else ""


def _last_of(reference: str) -> str:
    return re.split(r"[/#]", reference.rstrip("/#"))[-1].removesuffix(".json")
