"""The slow and obvious encoder: walks the declarations value by value, and says what lies where.

It is the second opinion on the compiled encoders, which must write the same bytes. Its spans tell
the mutations where a length, a count or a tag begins and ends.
"""

from __future__ import annotations

from struct import pack
from typing import Any, NamedTuple

from moldau.protocol.wire.construct import default_of
from moldau.protocol.wire.fields import Field, fields_of
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.types import Array, Primitive, StructOf, WireType
from tests.protocol.messages.random_messages import Pair

VARINT = "varint"
INT16 = "int16"
INT32 = "int32"
LENGTH_FORMS = (VARINT, INT16, INT32)
VALUE = "value"


class Span(NamedTuple):
    """Bytes that mean one thing: a length, count or tag in one of three forms, or a value."""

    start: int
    end: int
    form: str


def encode_plainly(message: Message, version: int) -> tuple[bytes, list[Span]]:
    """The bytes of a message and their parts in order."""
    encoder = _PlainEncoder(Pair(type(message), version))
    encoder.struct(message)
    return bytes(encoder.data), encoder.spans


def plain_varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*out, number))


class _PlainEncoder:
    def __init__(self, pair: Pair) -> None:
        self.data = bytearray()
        self.spans: list[Span] = []
        self._pair = pair
        self._version = pair.version
        self._flexible = pair.version in pair.message.FLEXIBLE

    def struct(self, value: Any) -> None:
        cls: type = type(value)
        fields = [field for field in fields_of(cls) if self._version in field.versions]
        for field in fields:
            if self._version not in field.tagged:
                self._field(field, getattr(value, field.name), in_tag=False)
        if self._flexible:
            self._tags([field for field in fields if self._version in field.tagged], value)

    def _tags(self, fields: list[Field], value: Any) -> None:
        tags: dict[int, _PlainEncoder] = {}
        for tag, data in value.unknown_tags:
            tags[tag] = self._inside_tag()
            tags[tag]._add(data, VALUE)
        for field in fields:
            if getattr(value, field.name) != default_of(field):
                assert field.tag is not None
                tags[field.tag] = self._inside_tag()
                tags[field.tag]._field(field, getattr(value, field.name), in_tag=True)
        self._add(plain_varint(len(tags)), VARINT)
        for tag, inner in sorted(tags.items()):
            self._add(plain_varint(tag), VARINT)
            self._add(plain_varint(len(inner.data)), VARINT)
            self._append(inner)

    def _inside_tag(self) -> _PlainEncoder:
        return _PlainEncoder(self._pair)

    def _append(self, inner: _PlainEncoder) -> None:
        before = len(self.data)
        self.data += inner.data
        self.spans += [Span(s.start + before, s.end + before, s.form) for s in inner.spans]

    def _add(self, data: bytes, form: str) -> None:
        self.spans.append(Span(len(self.data), len(self.data) + len(data), form))
        self.data += data

    def _field(self, field: Field, value: Any, in_tag: bool) -> None:
        if isinstance(field.type, StructOf):
            if self._version in field.nullable:
                mark = b"\1" if value is not None else b"\0" if in_tag else b"\xff"
                self._add(mark, VALUE)
            if value is not None:
                self.struct(value)
        else:
            self._value(field.type, value, self._flexible and field.flexible)

    def _value(self, wire_type: WireType, value: Any, compact: bool) -> None:
        match wire_type:
            case Array(of):
                self._length(value, compact, "i")
                for element in value or ():
                    self._value(of, element, compact)
            case StructOf():
                self.struct(value)
            case Primitive(code=code) if code:
                self._add(pack(f">{code}", value), VALUE)
            case Primitive(name="string"):
                self._sized(None if value is None else value.encode(), compact, "h")
            case Primitive():
                self._sized(value, compact, "i")

    def _sized(self, value: bytes | None, compact: bool, code: str) -> None:
        self._length(value, compact, code)
        if value:
            self._add(value, VALUE)

    def _length(self, value: Any, compact: bool, code: str) -> None:
        length = -1 if value is None else len(value)
        if compact:
            self._add(plain_varint(length + 1), VARINT)
        else:
            self._add(pack(f">{code}", length), INT16 if code == "h" else INT32)
