"""What protoc refuses of a file that the runtime's own pool of descriptors takes.

Numbers and names that are reserved, numbers that are the runtime's, two values of an enum with one
number, extensions in proto3, and `packed` where nothing can be packed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final

from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Field

from moldau.schemas.model import InvalidSchemaError

__all__ = ["ensure_numbering"]

Proto = Any
OF_THE_RUNTIME: Final = range(19_000, 20_000)
NEVER_PACKED: Final = frozenset(
    (Field.TYPE_STRING, Field.TYPE_BYTES, Field.TYPE_MESSAGE, Field.TYPE_GROUP)
)


def ensure_numbering(file: Proto) -> None:
    """`InvalidSchemaError` for what protoc refuses; names are resolved."""
    messages = list(_messages(file.message_type))
    for message in messages:
        _ensure_message(message, is_proto3=file.syntax == "proto3")
    for enum in chain(file.enum_type, *(message.enum_type for message in messages)):
        _ensure_enum(enum)


def _messages(found: Iterable[Proto]) -> Iterator[Proto]:
    for message in found:
        yield message
        yield from _messages(message.nested_type)


def _ensure_message(message: Proto, *, is_proto3: bool) -> None:
    if is_proto3 and message.extension_range:
        raise InvalidSchemaError(f"{message.name} has extension ranges, which proto3 has not")
    reserved = [range(one.start, one.end) for one in message.reserved_range]
    for field in message.field:
        place = f"{message.name}.{field.name}"
        _ensure_free(place, field, reserved, message.reserved_name)
        if field.number in OF_THE_RUNTIME:
            raise InvalidSchemaError(f"{place} has the number {field.number}, which is Protobuf's")
        if field.options.packed and not _may_be_packed(field):
            raise InvalidSchemaError(f"{place} is packed, and is no repeated number")


def _ensure_enum(enum: Proto) -> None:
    reserved = [range(one.start, one.end + 1) for one in enum.reserved_range]
    seen: set[int] = set()
    for value in enum.value:
        place = f"{enum.name}.{value.name}"
        _ensure_free(place, value, reserved, enum.reserved_name)
        if value.number in seen and not enum.options.allow_alias:
            raise InvalidSchemaError(f"{place} has a number again, without allow_alias")
        seen.add(value.number)


def _ensure_free(place: str, one: Proto, reserved: Iterable[range], names: Iterable[str]) -> None:
    if one.name in names or any(one.number in numbers for numbers in reserved):
        raise InvalidSchemaError(f"{place} has a name or number that is reserved")


def _may_be_packed(field: Proto) -> bool:
    return field.label == Field.LABEL_REPEATED and field.type not in NEVER_PACKED
