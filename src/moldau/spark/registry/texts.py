"""Values of any schema as JSON, from which Spark makes columns of the types that it is asked for.

Bytes become base64, times ISO 8601, and decimals text, as `from_json` takes them. Of a
message of Protobuf each field has its name in the file, an enum its name, and a field that is not
there is null.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

__all__ = ["json_text", "plain"]

WELL_KNOWN: Final = "google.protobuf."


def json_text(value: object) -> str:
    return json.dumps(value, default=_other, ensure_ascii=False, separators=(",", ":"))


def plain(value: object) -> object:
    """What JSON has, and nothing else."""
    return json.loads(json_text(value))


def _other(value: object) -> object:
    match value:
        case bytes() | bytearray():
            return b64encode(value).decode()
        case Decimal():
            return str(value)
        case Mapping():
            return dict(value)
        case _ if hasattr(value, "isoformat"):
            return value.isoformat()
        case _ if hasattr(value, "urn"):  # a UUID
            return str(value)
        case _ if hasattr(value, "DESCRIPTOR"):
            return _fields(value)
        case _:
            raise TypeError(f"{type(value).__name__} has no form in JSON")


def _fields(message: Any) -> object:  # noqa: ANN401  # protobuf's classes have no types
    if message.DESCRIPTOR.full_name.startswith(WELL_KNOWN):
        return _well_known(message)
    return {field.name: _field(message, field) for field in message.DESCRIPTOR.fields}


def _field(message: Any, field: Any) -> object:  # noqa: ANN401
    value = getattr(message, field.name)
    kind = field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        item = kind.fields_by_name["value"]
        return {str(key): _named(each, item) for key, each in value.items()}
    if _is_repeated(field):
        return [_named(each, field) for each in value]
    if field.has_presence and not message.HasField(field.name):
        return None
    return _named(value, field)


def _is_repeated(field: Any) -> bool:  # noqa: ANN401
    known = getattr(field, "is_repeated", None)
    return bool(field.label == field.LABEL_REPEATED if known is None else known)


def _named(value: Any, field: Any) -> object:  # noqa: ANN401
    """Of an enum the name, if it has one."""
    if field.enum_type is None:
        return value
    found = field.enum_type.values_by_number.get(value)
    return value if found is None else found.name


def _well_known(message: Any) -> object:  # noqa: ANN401
    """Times, structures and boxed numbers are what they stand for."""
    from google.protobuf.json_format import MessageToDict

    if [field.name for field in message.DESCRIPTOR.fields] == ["value"]:
        return message.value
    return MessageToDict(message, preserving_proto_field_name=True)
