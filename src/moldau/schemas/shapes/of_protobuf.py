"""The shapes of Protobuf's messages; Google's well-known ones are what JSON has for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor as Kinds

from moldau.schemas.shapes.model import (
    ANY,
    NO_DEFAULT,
    Enumeration,
    Field,
    ListOf,
    MapOf,
    Nullable,
    Scalar,
    Shape,
    Struct,
)

__all__ = ["protobuf_shapes"]

WELL_KNOWN: Final = "google.protobuf."
SPECIAL: Final[Mapping[str, Shape]] = {
    "Timestamp": Scalar("instant"),
    "Duration": Scalar("string"),
    "FieldMask": Scalar("string"),
    "Struct": MapOf(Scalar("string"), ANY),
    "ListValue": ListOf(ANY),
    "Value": ANY,
    "Any": ANY,
}
SCALARS: Final = {
    Kinds.TYPE_DOUBLE: "double",
    Kinds.TYPE_FLOAT: "float",
    Kinds.TYPE_INT64: "long",
    Kinds.TYPE_SINT64: "long",
    Kinds.TYPE_SFIXED64: "long",
    Kinds.TYPE_UINT64: "unsigned_long",
    Kinds.TYPE_FIXED64: "unsigned_long",
    Kinds.TYPE_INT32: "int",
    Kinds.TYPE_SINT32: "int",
    Kinds.TYPE_SFIXED32: "int",
    Kinds.TYPE_UINT32: "unsigned_int",
    Kinds.TYPE_FIXED32: "unsigned_int",
    Kinds.TYPE_BOOL: "boolean",
    Kinds.TYPE_STRING: "string",
    Kinds.TYPE_BYTES: "bytes",
}


def protobuf_shapes(file: Any, pool: Any) -> tuple[Shape, ...]:
    """The shapes of the messages at the top of the file."""
    shaping, start = _Shaping(), f"{file.package}." if file.package else ""
    return tuple(
        shaping.struct(pool.FindMessageTypeByName(f"{start}{message.name}"))
        for message in file.message_type
    )


class _Shaping:
    """A message is one struct, wherever it stands."""

    def __init__(self) -> None:
        self._structs: dict[str, Struct] = {}

    def struct(self, message: Any) -> Struct:
        found = self._structs.get(message.full_name)
        if found is None:
            found = self._structs[message.full_name] = Struct(message.name)
            found.fields += [self._field(field) for field in message.fields]
        return found

    def _field(self, field: Any) -> Field:
        message = field.message_type
        if message is not None and message.GetOptions().map_entry:
            key, value = (self._single(message.fields_by_name[name]) for name in ("key", "value"))
            return Field(field.name, MapOf(key, value), {})
        shape = self._single(field)
        if field.is_repeated:
            return Field(field.name, ListOf(shape), [])
        if field.is_required:
            return Field(field.name, shape)
        if field.has_presence:
            return Field(field.name, Nullable(shape), None)
        return Field(field.name, shape, _zero(field))

    def _single(self, field: Any) -> Shape:
        if field.enum_type is not None:
            names = tuple(value.name for value in field.enum_type.values)
            return Enumeration(field.enum_type.name, names)
        message = field.message_type
        if message is None:
            return Scalar(SCALARS[field.type])
        if not message.full_name.startswith(WELL_KNOWN):
            return self.struct(message)
        if [one.name for one in message.fields] == ["value"]:
            return self._single(message.fields[0])  # a boxed number or text
        return SPECIAL.get(message.name) or self.struct(message)


def _zero(field: Any) -> Any:
    """What a field that is not written is."""
    if field.enum_type is not None:
        number = field.default_value
        return next(
            (one.name for one in field.enum_type.values if one.number == number), NO_DEFAULT
        )
    return field.default_value
