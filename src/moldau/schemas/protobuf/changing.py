"""Messages of Protobuf with some of their fields changed: encrypted, or read again.

Fields are known by their full names, `shop.Order.what`. Tags that stand in the file itself, as
options of its fields, are not read: metadata has to name the fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from moldau.schemas.parsed import ChangeField, Field

__all__ = ["changed_message"]

NO_TAGS: Final[frozenset[str]] = frozenset()


KINDS: Final[Mapping[int, str]] = {
    FieldDescriptor.TYPE_STRING: "STRING",
    FieldDescriptor.TYPE_BYTES: "BYTES",
    FieldDescriptor.TYPE_ENUM: "ENUM",
    FieldDescriptor.TYPE_FLOAT: "FLOAT",
    FieldDescriptor.TYPE_DOUBLE: "DOUBLE",
    FieldDescriptor.TYPE_BOOL: "BOOLEAN",
    FieldDescriptor.TYPE_INT64: "LONG",
    FieldDescriptor.TYPE_SINT64: "LONG",
    FieldDescriptor.TYPE_UINT64: "LONG",
    FieldDescriptor.TYPE_FIXED64: "LONG",
    FieldDescriptor.TYPE_SFIXED64: "LONG",
}
NUMBER: Final = "INT"


def changed_message(message: Message, change: ChangeField) -> Message:
    """A copy; fields that know whether they are set, and are not, stay so."""
    found = type(message)()
    found.CopyFrom(message)
    _change(found, message, change)
    return found


def _change(message: Any, holder: Any, change: ChangeField) -> None:
    for field in message.DESCRIPTOR.fields:
        if field.has_presence and not message.HasField(field.name):
            continue
        value, before = getattr(message, field.name), getattr(holder, field.name)
        if _is_map(field):
            _change_map(field, value, before, holder, change)
        elif field.message_type is not None:
            given = zip(value, before, strict=True) if field.is_repeated else ((value, before),)
            for one, its_holder in given:
                _change(one, its_holder, change)
        else:
            place = _place(field, field.type, holder)
            if field.is_repeated:
                value[:] = [change(place, one) for one in value]
            else:
                setattr(message, field.name, change(place, value))


def _place(field: Any, kind: int, holder: Any) -> Field:
    return Field(field.full_name, NO_TAGS, KINDS.get(kind, NUMBER), holder)


def _is_map(field: Any) -> bool:
    return field.message_type is not None and bool(field.message_type.GetOptions().map_entry)


def _change_map(field: Any, value: Any, before: Any, holder: Any, change: ChangeField) -> None:
    kind = field.message_type.fields_by_name["value"]
    if kind.message_type is not None:
        for key, one in value.items():
            _change(one, before[key], change)
        return
    place = _place(field, kind.type, holder)
    for key in list(value):
        value[key] = change(place, value[key])
