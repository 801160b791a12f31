"""Avro's types to text: as Java writes a schema, which is the text that registries store."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from moldau.schemas.avro.types import NAMED, PRIMITIVES, AvroField, AvroType

__all__ = ["avro_text"]


def avro_text(kind: AvroType, *, written: Collection[str] = (), without_order: bool = False) -> str:
    """Compact JSON; a named type is spelled out where it stands first, unless it is in `written`.

    `without_order` sorts the properties that Avro gives no meaning to.
    """
    value = _Writer(set(written), without_order).json_of(kind, "")
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


class _Writer:
    def __init__(self, written: set[str], is_sorted: bool) -> None:
        self._written = written
        self._is_sorted = is_sorted

    def json_of(self, kind: AvroType, space: str) -> object:
        if kind.kind == "union":
            return [self.json_of(branch, space) for branch in kind.branches]
        if kind.kind in NAMED:
            return self._named(kind, space)
        if kind.kind in PRIMITIVES and not kind.properties:
            return kind.kind
        found: dict[str, Any] = {"type": kind.kind}
        if kind.kind not in PRIMITIVES:
            found["items" if kind.kind == "array" else "values"] = self.json_of(kind.items, space)
        return found | self._properties(kind.properties)

    def _named(self, kind: AvroType, space: str) -> object:
        if kind.full_name in self._written:
            return kind.name if kind.space == space else kind.full_name
        self._written.add(kind.full_name)
        found: dict[str, Any] = {"type": kind.kind, "name": kind.name}
        if kind.space != space:
            found["namespace"] = kind.space
        if kind.doc is not None:
            found["doc"] = kind.doc
        if kind.kind == "enum":
            found["symbols"] = kind.symbols
            if kind.default is not None:
                found["default"] = kind.default
        elif kind.kind == "fixed":
            found["size"] = kind.size
        else:
            found["fields"] = [self._field(field, kind.space) for field in kind.fields]
        found |= self._properties(kind.properties)
        if kind.aliases:
            found["aliases"] = [_relative(alias, kind.space) for alias in kind.aliases]
        return found

    def _field(self, field: AvroField, space: str) -> dict[str, Any]:
        found: dict[str, Any] = {"name": field.name, "type": self.json_of(field.type, space)}
        if field.doc is not None:
            found["doc"] = field.doc
        if field.has_default:
            found["default"] = field.default
        if field.order != "ascending":
            found["order"] = field.order
        if field.aliases:
            found["aliases"] = list(field.aliases)
        return found | self._properties(field.properties)

    def _properties(self, given: dict[str, Any]) -> dict[str, Any]:
        return dict(sorted(given.items())) if self._is_sorted else given


def _relative(alias: str, space: str) -> str:
    front, _, last = alias.rpartition(".")
    return last if front == space else alias
