"""The shapes of Avro's types; logical types are what they stand for."""

from __future__ import annotations

from typing import Any, Final

from moldau.schemas.avro.defaults import is_default_of
from moldau.schemas.avro.logical import logical_of
from moldau.schemas.avro.types import AvroField, AvroType
from moldau.schemas.data_errors import DataError
from moldau.schemas.shapes.model import (
    NO_DEFAULT,
    DecimalNumber,
    Enumeration,
    Field,
    ListOf,
    MapOf,
    Scalar,
    Shape,
    Struct,
    choice_of,
)

__all__ = ["avro_shape"]

LOGICAL: Final = {
    "date": "date",
    "time-millis": "time",
    "time-micros": "time",
    "timestamp-millis": "instant",
    "timestamp-micros": "instant",
    "local-timestamp-millis": "local_instant",
    "local-timestamp-micros": "local_instant",
    "uuid": "uuid",
}


def avro_shape(kind: AvroType) -> Shape:
    return _Shaping().of(kind)


class _Shaping:
    """A record is one struct, wherever it stands."""

    def __init__(self) -> None:
        self._structs: dict[str, Struct] = {}

    def of(self, kind: AvroType) -> Shape:
        match kind.kind:
            case "record" | "error":
                return self._struct(kind)
            case "enum":
                return Enumeration(kind.name, tuple(kind.symbols))
            case "array":
                return ListOf(self.of(kind.items))
            case "map":
                return MapOf(Scalar("string"), self.of(kind.items))
            case "union":
                return choice_of(self.of(branch) for branch in kind.branches)
            case _:
                return _scalar(kind)

    def _struct(self, kind: AvroType) -> Struct:
        found = self._structs.get(kind.full_name)
        if found is None:
            found = self._structs[kind.full_name] = Struct(kind.name, kind.doc or "")
            for field in kind.fields:
                found.fields.append(Field(field.name, self.of(field.type), _default(field)))
        return found


def _scalar(kind: AvroType) -> Shape:
    name = kind.properties.get("logicalType")
    if logical_of(kind) is not None and isinstance(name, str):
        if name in LOGICAL:
            return Scalar(LOGICAL[name])
        precision, scale = kind.properties.get("precision"), kind.properties.get("scale", 0)
        if isinstance(precision, int) and isinstance(scale, int):
            return DecimalNumber(precision, scale)
    return Scalar("bytes" if kind.kind == "fixed" else kind.kind)


def _default(field: AvroField) -> Any:
    return _value(field.type, field.default) if field.has_default else NO_DEFAULT


def _value(kind: AvroType, given: Any) -> Any:
    """Of Python; nothing where it is more than a scalar or an empty collection."""
    if kind.kind == "union":
        return _value(next(one for one in kind.branches if is_default_of(one, given)), given)
    if isinstance(given, list | dict):
        return NO_DEFAULT if given or kind.kind == "record" else given
    if kind.kind in ("bytes", "fixed"):
        given = given.encode("latin-1", "replace")
    logical = logical_of(kind)
    if logical is None:
        return float(given) if kind.kind in ("float", "double") else given
    try:
        return logical.raised(given)
    except DataError:
        return NO_DEFAULT
