"""Messages read and written field by field, where a codec would be compiled for one or two of them.

A compiled codec pays for itself after dozens of messages; a tool sends three. So the first
`COMPILED_AFTER` of each class and version go the plain way here, if they are small, and from then
on the compiled codec does the work (`compile`).

The plain way knows right messages only. Whatever it cannot read or write, for any reason, it leaves
to the compiled codec, which has the last word: what is wrong is refused in one place, with the same
sentence, and limits of memory are those of `weight`.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import error as StructError
from struct import pack, unpack_from
from typing import Any, TypeVar

from moldau.errors import DecodeError, EncodeError
from moldau.platform.buffers import Buffer
from moldau.protocol.wire.compile import decode, decode_prefix, encode_parts
from moldau.protocol.wire.construct import default_of
from moldau.protocol.wire.fields import Field, fields_of
from moldau.protocol.wire.layout import Layout, layout_of
from moldau.protocol.wire.refusals import SPLIT_FROM, join_tags, text_uvarint
from moldau.protocol.wire.rejections import ELEMENTS_MAX, TAGS_MAX, more_text
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.types import (
    BYTE_VIEW,
    RECORDS,
    STRING,
    Array,
    Primitive,
    StructOf,
    WireType,
)
from moldau.protocol.wire.varint import decode_uvarint, encode_uvarint
from moldau.protocol.wire.weight import TAG_BYTES, allowance

__all__ = ["decode_prefix_seldom", "decode_seldom", "encode_parts_seldom"]

M = TypeVar("M", bound=Message)

COMPILED_AFTER = 4
"""Messages of one class and version, in one direction: nearly no tool sends more of them."""
PLAIN_BYTES_MAX = 16 * 1024
"""A longer frame is read faster with the codec, though it has to be compiled."""

_NOT_PLAIN = (
    DecodeError, EncodeError, StructError, IndexError, AttributeError, TypeError, ValueError,
)  # fmt: skip


def decode_seldom(cls: type[M], version: int, buffer: Buffer) -> M:
    """As `decode`."""
    size = len(buffer)
    if _is_plain(cls.DECODERS, cls, version, size):
        try:
            reader = _Reader(layout_of(cls, version), buffer, 0, cls.PER_BYTE)
            made: M = reader.struct(reader.layout)
        except _NOT_PLAIN:
            pass
        else:
            if reader.position == size:
                return made
    return decode(cls, version, buffer)


def decode_prefix_seldom(
    cls: type[M], version: int, buffer: Buffer, position: int = 0
) -> tuple[M, int]:
    """As `decode_prefix`."""
    if _is_plain(cls.DECODERS, cls, version, len(buffer)):
        try:
            reader = _Reader(layout_of(cls, version), buffer, position, cls.PER_BYTE)
            return reader.struct(reader.layout), reader.position
        except _NOT_PLAIN:
            pass
    return decode_prefix(cls, version, buffer, position)


def encode_parts_seldom(message: Message, version: int) -> list[Buffer]:
    """As `encode_parts`."""
    cls = type(message)
    if _is_plain(cls.ENCODERS, cls, version, 0):
        out = bytearray()
        try:
            _write_struct(out, layout_of(cls, version), message)
        except _NOT_PLAIN:
            pass
        else:
            return [out]
    return encode_parts(message, version)


def _is_plain(compiled: dict[int, Any], cls: type[Message], version: int, size: int) -> bool:
    """Whether this one goes the plain way; it is counted."""
    if version in compiled or size > PLAIN_BYTES_MAX or version not in cls.VERSIONS:
        return False
    seen = cls.PLAIN_COUNTS
    key = (compiled is cls.DECODERS, version)
    seen[key] = seen.get(key, 0) + 1
    return seen[key] <= COMPILED_AFTER


class _Reader:
    """A place in a buffer, and what was built of it."""

    def __init__(self, layout: Layout, buffer: Buffer, position: int, per_byte: int) -> None:
        self.layout = layout
        has_views = layout.has_views
        self.buffer: Any = memoryview(buffer) if has_views else bytes(buffer)
        self.position = position
        self.end = len(buffer)
        self._owed = 0
        self._limit = allowance(self.end - position, per_byte)

    def struct(self, layout: Layout) -> Any:
        made: Any = object.__new__(layout.cls)
        made.unknown_tags = ()
        for field in (*layout.absent, *layout.tagged):
            setattr(made, field.slot, None if field.is_unseen else default_of(field))
        for field in layout.present:
            of = field.type
            if isinstance(of, Primitive) and of.code:
                setattr(made, field.slot, self._number(of.code, of.width))
            else:
                setattr(made, field.slot, self._value(layout, field))
        if layout.flexible:
            self._tags(layout, made)
        return made

    def _value(self, layout: Layout, field: Field) -> Any:
        compact = layout.compact(field)
        value = None
        match field.type:
            case Array(of):
                count = self._length(compact, "i")
                if count >= 0:
                    self._charge(layout, of, count, compact)
                    return self._elements(layout, of, count, compact)
            case StructOf(cls):
                inner = layout.inner(cls)
                if not layout.nullable(field) or not self._is_null(layout, field):
                    return self.struct(inner)
            case Primitive() as of:
                value = self._primitive(of, compact)
        if value is None and not layout.nullable(field):
            raise DecodeError(f"{field.name} is null")
        return value

    def _is_null(self, layout: Layout, field: Field) -> bool:
        if layout.version in field.tagged:
            return self._uvarint() == 0
        return bool(self._number("b", 1) < 0)

    def _primitive(self, of: Primitive, compact: bool) -> Any:
        if of.code:
            return self._number(of.code, of.width)
        if of is STRING:
            size = self._text_length() if compact else self._number("h", 2)
            return None if size < 0 else str(self._taken(size), "utf-8", "replace")
        size = self._length(compact, "i")
        if size < 0:
            return None
        taken = self._taken(size)
        return memoryview(taken) if of is RECORDS or of is BYTE_VIEW else bytes(taken)

    def _elements(self, layout: Layout, of: WireType, count: int, compact: bool) -> list[Any]:
        match of:
            case StructOf(cls):
                inner = layout.inner(cls)
                return [self.struct(inner) for _ in range(count)]
            case Primitive():
                found = [self._primitive(of, compact) for _ in range(count)]
                if None in found:
                    raise DecodeError("an element is null")
                return found
            case Array():
                raise DecodeError("an array of arrays")

    def _charge(self, layout: Layout, of: WireType, count: int, compact: bool) -> None:
        """As compiled decoders do, before anything is built."""
        self._owed += count * layout.memory_of_element(of)
        room = self.end - self.position
        if count * layout.least_of_type(of, compact) > room or count > ELEMENTS_MAX:
            raise DecodeError(f"{count} elements in {room} bytes")
        self._check_owed()

    def _check_owed(self) -> None:
        if self._owed > self._limit:
            raise DecodeError("more memory than its frame may cost")

    def _tags(self, layout: Layout, made: Any) -> None:
        count = self._uvarint()
        if count > TAGS_MAX or count * 2 > self.end - self.position:
            raise DecodeError(f"{count} tagged fields")
        known = {field.tag: field for field in layout.tagged}
        unknown = []
        for _ in range(count):
            tag, size = self._uvarint(), self._uvarint()
            bound = self.position + size
            if tag in known:
                setattr(made, known[tag].slot, self._value(layout, known[tag]))
            else:
                self._owed += TAG_BYTES
                unknown.append((tag, bytes(self._taken(size))))
            self._check_owed()
            if self.position != bound:
                raise DecodeError(f"tagged field {tag} has another size")
        if unknown:
            made.unknown_tags = tuple(unknown)

    def _length(self, compact: bool, code: str) -> int:
        return self._uvarint() - 1 if compact else int(self._number(code, 4))

    def _text_length(self) -> int:
        first = self.buffer[self.position]
        self.position += 1
        if first > 127:
            first, self.position = more_text(self.buffer, self.position, first)
        return int(first) - 1

    def _uvarint(self) -> int:
        number, self.position = decode_uvarint(self.buffer, self.position)
        return number

    def _number(self, code: str, width: int) -> Any:
        (number,) = unpack_from(">" + code, self.buffer, self.position)
        self.position += width
        return number

    def _taken(self, size: int) -> Any:
        stop = self.position + size
        if stop > self.end:
            raise DecodeError(f"{stop - self.end} bytes are missing")
        taken = self.buffer[self.position : stop]
        self.position = stop
        return taken


def _write_struct(out: bytearray, layout: Layout, struct: Any) -> None:
    for field in layout.absent:
        if not field.ignorable and not _is_default(field, getattr(struct, field.slot)):
            raise EncodeError(f"{field.name} is set")
    for field in layout.present:
        _write(out, layout, field, getattr(struct, field.name))
    if layout.flexible:
        tags: list[tuple[int, Buffer]] = list(struct.unknown_tags)
        for field in layout.tagged:
            if not _is_default(field, getattr(struct, field.slot)):
                data = bytearray()
                _write(data, layout, field, getattr(struct, field.name))
                tags.append((field.tag or 0, data))
        out += join_tags(tags)
    elif struct.unknown_tags:
        raise EncodeError("no room for tags")


def _is_default(field: Field, value: Any) -> bool:
    if field.default is None:
        return value is None
    match field.type:
        case Array():
            return value is not None and not value
        case StructOf(cls):
            if value is None:
                return field.is_unseen
            inner = all(_is_default(one, getattr(value, one.slot)) for one in fields_of(cls))
            return inner and not value.unknown_tags
        case Primitive():
            return bool(value == field.default)


def _write(out: bytearray, layout: Layout, field: Field, value: Any) -> None:
    compact, nullable = layout.compact(field), layout.nullable(field)
    if value is None and not nullable:
        raise EncodeError(f"{field.name} is null")
    match field.type:
        case Array(of):
            _write_length(out, value, compact)
            _write_elements(out, layout, of, () if value is None else value, compact)
        case StructOf(cls):
            if nullable:
                is_tag = layout.version in field.tagged
                out += b"\1" if value is not None else b"\0" if is_tag else b"\xff"
            if value is not None:
                _write_struct(out, layout.inner(cls), value)
        case Primitive() as of:
            _write_primitive(out, of, value, compact)


def _write_elements(
    out: bytearray, layout: Layout, of: WireType, values: Sequence[Any], compact: bool
) -> None:
    for value in values:
        match of:
            case StructOf(cls):
                _write_struct(out, layout.inner(cls), value)
            case Primitive():
                if value is None:
                    raise EncodeError("an element is null")
                _write_primitive(out, of, value, compact)
            case _:
                raise EncodeError("an array of arrays")


def _write_primitive(out: bytearray, of: Primitive, value: Any, compact: bool) -> None:
    if of.code:
        if of.code == "16s" and len(value) != of.width:
            raise EncodeError("no id")
        out += pack(">" + of.code, value)
    elif of is STRING:
        data = None if value is None else value.encode()
        if compact:
            out += b"\0" if data is None else text_uvarint(len(data) + 1)
        else:
            out += pack(">h", -1 if data is None else len(data))
        out += data or b""
    else:
        if value is not None and len(value) > SPLIT_FROM:
            raise EncodeError("a part of its own")
        _write_length(out, value, compact)
        out += value or b""


def _write_length(out: bytearray, value: Any, compact: bool) -> None:
    size = -1 if value is None else len(value)
    out += encode_uvarint(size + 1) if compact else pack(">i", size)
