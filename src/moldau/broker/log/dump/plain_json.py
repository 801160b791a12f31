"""Messages as JSON, with the names, the order and the spelling that Kafka's own tools have.

Names in camel case, ids in base64url, bytes in base64. Fields that a version lacks are left out,
and so are tagged fields that have their default. Text is written without spaces; characters beyond
ASCII stay as they are.
"""

from __future__ import annotations

import json
from base64 import b64encode

from moldau.protocol.wire.fields import Field, fields_of
from moldau.protocol.wire.layout import Layout, layout_of
from moldau.protocol.wire.schema import Message, Struct
from moldau.protocol.wire.types import UUID, Array, Primitive, StructOf, WireType
from moldau.protocol.wire.uuids import uuid_text

_PLAIN_DOUBLE_MIN, _PLAIN_DOUBLE_MAX = 1e-3, 1e7
"""Between these Java writes a double without exponent."""


def plain_message(message: Message, version: int) -> dict[str, object]:
    """The message as dictionaries, lists and scalars."""
    return _plain_struct(message, layout_of(type(message), version))


def _plain_struct(struct: Struct, layout: Layout) -> dict[str, object]:
    fields = {}
    for field in fields_of(layout.cls):
        value = getattr(struct, field.name)
        is_tagged = layout.version in field.tagged
        if layout.version not in field.versions or (is_tagged and _is_default(field, value)):
            continue
        fields[camel_case(field.name)] = _plain(value, field.type, layout)
    return fields


def _plain(value: object, wire_type: WireType, layout: Layout) -> object:
    if value is None:
        return None
    match wire_type:
        case Array(of):
            assert isinstance(value, list)
            return [_plain(one, of, layout) for one in value]
        case StructOf(cls):
            assert isinstance(value, Struct)
            return _plain_struct(value, layout.inner(cls))
        case Primitive():
            return _scalar(value, wire_type)


def _scalar(value: object, wire_type: Primitive) -> object:
    if isinstance(value, bytes | bytearray | memoryview):
        return uuid_text(bytes(value)) if wire_type is UUID else b64encode(value).decode()
    return value


def _is_default(field: Field, value: object) -> bool:
    """An array's default is empty, a struct's has all its fields at theirs."""
    if value is None or field.default is None or isinstance(field.type, Primitive):
        return value == field.default
    if isinstance(field.type, Array):
        return not value
    return all(_is_default(part, getattr(value, part.name)) for part in fields_of(field.type.cls))


def camel_case(name: str) -> str:
    """Kafka's name of a field; KRaft is one word to us and two to it."""
    first, *rest = name.replace("kraft", "k_raft").split("_")
    return first + "".join(word.capitalize() for word in rest)


def json_text(plain: object) -> str:
    """Compact JSON as Jackson spells it."""
    match plain:
        case dict():
            pairs = (f"{_quoted(str(name))}:{json_text(part)}" for name, part in plain.items())
            return "{" + ",".join(pairs) + "}"
        case list():
            return "[" + ",".join(json_text(part) for part in plain) + "]"
        case float():
            return _double(plain)
        case str():
            return _quoted(plain)
        case _:
            return json.dumps(plain)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _double(number: float) -> str:
    """Java's spelling."""
    if number == 0 or _PLAIN_DOUBLE_MIN <= abs(number) < _PLAIN_DOUBLE_MAX:
        return repr(number)
    if number in (float("inf"), float("-inf")) or number != number:
        return json.dumps(json.dumps(number))
    shortest = (f"{number:.{precision}e}" for precision in range(18))
    mantissa, _, power = next(text for text in shortest if float(text) == number).partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}E{int(power)}"
