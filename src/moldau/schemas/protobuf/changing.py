"""Messages of Protobuf with some of their fields changed: encrypted, or read again.

Fields are known by their full names, `shop.Order.what`. Tags that stand in the file itself, as
options of its fields, are not read: metadata has to name the fields.
"""

from __future__ import annotations

from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from moldau.schemas.parsed import ChangeField

__all__ = ["changed_message"]

NO_TAGS: Final[frozenset[str]] = frozenset()


def changed_message(message: Message, change: ChangeField) -> Message:
    """A copy; fields that are not set stay so."""
    found = type(message)()
    found.CopyFrom(message)
    _change(found, change)
    return found


def _change(message: Any, change: ChangeField) -> None:
    for field, value in message.ListFields():
        if field.is_extension:
            continue
        if _is_map(field):
            _change_map(field, value, change)
        elif field.type in (FieldDescriptor.TYPE_MESSAGE, FieldDescriptor.TYPE_GROUP):
            for one in value if field.is_repeated else (value,):
                _change(one, change)
        elif field.is_repeated:
            value[:] = [change(field.full_name, NO_TAGS, one) for one in value]
        else:
            setattr(message, field.name, change(field.full_name, NO_TAGS, value))


def _is_map(field: Any) -> bool:
    return field.message_type is not None and bool(field.message_type.GetOptions().map_entry)


def _change_map(field: Any, value: Any, change: ChangeField) -> None:
    if field.message_type.fields_by_name["value"].message_type is not None:
        for one in value.values():
            _change(one, change)
        return
    for key in list(value):
        value[key] = change(field.full_name, NO_TAGS, value[key])
