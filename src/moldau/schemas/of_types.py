"""Schemas of Python's types, and values of these types from what a schema reads.

A dataclass is a record of Avro: `int` is a long, `float` a double, an enum its names, `X | None` a
union whose default is null. A model of pydantic is the JSON Schema that it gives itself.
"""

from __future__ import annotations

import datetime
import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from moldau.schemas.model import InvalidSchemaError, SchemaText

__all__ = ["made_as", "schema_of_type"]

SIMPLE: Final[Mapping[Any, Any]] = {
    int: "long",
    float: "double",
    str: "string",
    bytes: "bytes",
    bool: "boolean",
    NoneType: "null",
    datetime.datetime: {"type": "long", "logicalType": "timestamp-micros"},
    datetime.date: {"type": "int", "logicalType": "date"},
    datetime.time: {"type": "long", "logicalType": "time-micros"},
    uuid.UUID: {"type": "string", "logicalType": "uuid"},
}


def schema_of_type(kind: type) -> SchemaText:
    """The schema of a class, or `InvalidSchemaError` where no schema has a field's type."""
    own = getattr(kind, "model_json_schema", None)
    if callable(own):
        return SchemaText(json.dumps(own()), "JSON")
    if not is_dataclass(kind):
        raise InvalidSchemaError(f"{kind.__name__} is neither a dataclass nor a model of pydantic")
    return SchemaText(json.dumps(_Declaring().of(kind, kind.__name__)))


class _Declaring:
    """A named type is declared where it stands first."""

    def __init__(self) -> None:
        self._declared: set[str] = set()

    def of(self, kind: Any, place: str) -> Any:
        if kind in SIMPLE:
            return SIMPLE[kind]
        origin, inner = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            return [self.of(one, place) for one in _none_first(inner)]
        if origin in (list, tuple) and inner:
            return {"type": "array", "items": self.of(inner[0], place)}
        if origin is dict and inner[0] is str:
            return {"type": "map", "values": self.of(inner[1], place)}
        if isinstance(kind, type) and (is_dataclass(kind) or issubclass(kind, Enum)):
            return self._named(kind)
        raise InvalidSchemaError(f"{place} has the type {kind}, which no schema of Avro has")

    def _named(self, kind: type) -> Any:
        name = kind.__name__
        if name in self._declared:
            return name
        self._declared.add(name)
        if issubclass(kind, Enum):
            return {"type": "enum", "name": name, "symbols": [one.name for one in kind]}
        hints = get_type_hints(kind)
        declared = [self._field(one, hints[one.name], name) for one in fields(kind)]  # type: ignore[arg-type]
        return {"type": "record", "name": name, "fields": declared}

    def _field(self, field: Field[Any], kind: Any, owner: str) -> dict[str, Any]:
        found = {"name": field.name, "type": self.of(kind, f"{owner}.{field.name}")}
        default = field.default
        if default is None or (default is not MISSING and isinstance(default, int | float | str)):
            found["default"] = default.name if isinstance(default, Enum) else default
            if default is not None and isinstance(found["type"], list):
                found["type"].sort(key=lambda one: one == "null")  # the default's branch is first
        return found


def _none_first(kinds: tuple[Any, ...]) -> list[Any]:
    return sorted(kinds, key=lambda one: one is not NoneType)


def made_as(kind: Any, value: Any) -> Any:
    """The same as a value of this type, which may have others in it."""
    own = getattr(kind, "model_validate", None)
    if callable(own):
        return own(value)
    if value is None or get_origin(kind) in (Union, UnionType):
        chosen = [one for one in get_args(kind) if one is not NoneType]
        return value if value is None or len(chosen) != 1 else made_as(chosen[0], value)
    if isinstance(kind, type) and is_dataclass(kind):
        return _record(kind, value)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind[value]
    return _collection(kind, value)


def _record(kind: type, value: Mapping[str, Any]) -> Any:
    hints = get_type_hints(kind)
    make: Callable[..., Any] = kind
    known = [one.name for one in fields(kind) if one.name in value]
    return make(**{name: made_as(hints[name], value[name]) for name in known})


def _collection(kind: Any, value: Any) -> Any:
    inner = get_args(kind)
    match get_origin(kind):
        case origin if origin is list:
            return [made_as(inner[0], one) for one in value]
        case origin if origin is tuple:
            return tuple(made_as(inner[0], one) for one in value)
        case origin if origin is dict:
            return {key: made_as(inner[1], one) for key, one in value.items()}
        case _:
            return value
