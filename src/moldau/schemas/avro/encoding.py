"""Values to Avro's bytes: a schema becomes functions once, and each value runs through them.

A value of a union is of the first branch that keeps it (`fitting.branch_of`); a pair of a type's
full name and a value names its branch, as in fastavro. A field that a record does not have takes
its default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from struct import Struct
from struct import error as PackError
from typing import Any, Final, TypeAlias

from moldau.schemas.avro.default_values import default_value
from moldau.schemas.avro.defaults import INT, LONG
from moldau.schemas.avro.fitting import branch_of
from moldau.schemas.avro.logical import logical_of
from moldau.schemas.avro.types import MISSING, AvroType
from moldau.schemas.data_errors import DataError

__all__ = ["AvroEncoder", "zigzag"]

Write: TypeAlias = Callable[[bytearray, Any], None]
FLOAT: Final = Struct("<f")
DOUBLE: Final = Struct("<d")


class AvroEncoder:
    """Encodes by one schema."""

    def __init__(self, kind: AvroType) -> None:
        self._write = _Writers().of(kind)

    def encode(self, value: object) -> bytes:
        """Its bytes, or `DataError`."""
        out = bytearray()
        try:
            self._write(out, value)
        except RecursionError:
            raise DataError("the value is nested too deep") from None
        return bytes(out)


def zigzag(out: bytearray, number: int) -> None:
    """As one to ten bytes."""
    rest = (number << 1) ^ (number >> 63)
    while rest > 0x7F:
        out.append((rest & 0x7F) | 0x80)
        rest >>= 7
    out.append(rest)


class _Writers:
    """Keeps those of named types, which may hold themselves."""

    def __init__(self) -> None:
        self._known: dict[int, Write] = {}

    def of(self, kind: AvroType) -> Write:
        logical = logical_of(kind)
        write = self._plain(kind)
        if logical is None:
            return write
        lower = logical.lower
        return lambda out, value: write(out, lower(value))

    def _plain(self, kind: AvroType) -> Write:
        if kind.kind in PRIMITIVE:
            return PRIMITIVE[kind.kind]
        known = self._known.get(id(kind))
        if known is not None:
            return known
        return self._compound(kind)

    def _compound(self, kind: AvroType) -> Write:
        match kind.kind:
            case "record" | "error":
                return self._record(kind)
            case "union":
                return self._union(kind)
            case "array":
                return _array(self.of(kind.items))
            case "map":
                return _map(self.of(kind.items))
            case "enum":
                return _enum(kind)
            case _:
                return _fixed(kind)

    def _record(self, kind: AvroType) -> Write:
        fields: list[tuple[str, Write, Any]] = []

        def write(out: bytearray, value: Any) -> None:
            if not isinstance(value, Mapping):
                raise _wrong(value, kind.shown)
            name = ""
            try:
                for name, write_field, default in fields:  # the error names it
                    given = value.get(name, default)
                    if given is MISSING:
                        raise DataError("it is missing")
                    write_field(out, given)
            except DataError as error:
                raise error.under(name) from None

        self._known[id(kind)] = write
        for field in kind.fields:
            default = default_value(field.type, field.default) if field.has_default else MISSING
            fields.append((field.name, self.of(field.type), default))
        return write

    def _union(self, kind: AvroType) -> Write:
        branches = kind.branches
        writers = [self.of(branch) for branch in branches]
        names = {branch.shown: index for index, branch in enumerate(branches)}

        def write(out: bytearray, value: Any) -> None:
            if isinstance(value, tuple) and len(value) == 2 and value[0] in names:
                index, value = names[value[0]], value[1]
            else:
                fitting = branch_of(branches, value)
                if fitting is None:
                    shown = ", ".join(names)
                    raise DataError(f"{_shown(value)} is none of {shown}")
                index = fitting
            zigzag(out, index)
            writers[index](out, value)

        return write


def _array(write_item: Write) -> Write:
    def write(out: bytearray, value: Any) -> None:
        if not isinstance(value, list | tuple):
            raise _wrong(value, "array")
        if value:
            zigzag(out, len(value))
        for index, item in enumerate(value):
            try:
                write_item(out, item)
            except DataError as error:
                raise error.under(str(index)) from None
        out.append(0)

    return write


def _map(write_item: Write) -> Write:
    def write(out: bytearray, value: Any) -> None:
        if not isinstance(value, Mapping):
            raise _wrong(value, "map")
        if value:
            zigzag(out, len(value))
        for key, item in value.items():
            try:
                _write_string(out, key)
                write_item(out, item)
            except DataError as error:
                raise error.under(str(key)) from None
        out.append(0)

    return write


def _enum(kind: AvroType) -> Write:
    indexes = {symbol: index for index, symbol in enumerate(kind.symbols)}

    def write(out: bytearray, value: Any) -> None:
        symbol = getattr(value, "value", value)
        if not isinstance(symbol, str) or symbol not in indexes:
            raise DataError(f"{_shown(value)} is no symbol of {kind.shown}")
        zigzag(out, indexes[symbol])

    return write


def _fixed(kind: AvroType) -> Write:
    def write(out: bytearray, value: Any) -> None:
        if not isinstance(value, bytes | bytearray | memoryview) or len(value) != kind.size:
            raise DataError(f"{_shown(value)} is not the {kind.size} bytes of {kind.shown}")
        out += value

    return write


def _whole(name: str, limits: range) -> Write:
    def write(out: bytearray, value: Any) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or value not in limits:
            raise _wrong(value, name)
        zigzag(out, value)

    return write


def _real(name: str, packer: Struct) -> Write:
    def write(out: bytearray, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise _wrong(value, name)
        try:
            out += packer.pack(value)
        except (OverflowError, PackError):
            raise _wrong(value, name) from None

    return write


def _write_null(out: bytearray, value: Any) -> None:
    if value is not None:
        raise _wrong(value, "null")


def _write_boolean(out: bytearray, value: Any) -> None:
    if not isinstance(value, bool):
        raise _wrong(value, "boolean")
    out.append(value)


def _write_bytes(out: bytearray, value: Any) -> None:
    if not isinstance(value, bytes | bytearray | memoryview):
        raise _wrong(value, "bytes")
    zigzag(out, len(value))
    out += value


def _write_string(out: bytearray, value: Any) -> None:
    if not isinstance(value, str):
        raise _wrong(value, "string")
    try:
        data = value.encode()
    except UnicodeEncodeError:
        raise DataError("the text has half of a surrogate pair") from None
    zigzag(out, len(data))
    out += data


PRIMITIVE: Final[Mapping[str, Write]] = {
    "null": _write_null,
    "boolean": _write_boolean,
    "int": _whole("int", INT),
    "long": _whole("long", LONG),
    "float": _real("float", FLOAT),
    "double": _real("double", DOUBLE),
    "bytes": _write_bytes,
    "string": _write_string,
}


def _wrong(value: object, name: str) -> DataError:
    return DataError(f"{_shown(value)} is no {name}")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
