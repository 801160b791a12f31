"""Avro's bytes to values: a schema becomes functions once, and data runs through them.

Each function takes the bytes and a position, and gives back the value and the position behind it.
Reading by another schema than the one that wrote is in `resolving`, on top of these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from moldau.schemas.avro.encoding import DOUBLE, FLOAT
from moldau.schemas.avro.logical import logical_of
from moldau.schemas.avro.types import AvroType
from moldau.schemas.data_errors import DataError

__all__ = [
    "TOO_SHORT",
    "AvroDecoder",
    "EmptyItems",
    "Read",
    "Readers",
    "array_reader",
    "converted",
    "enum_reader",
    "fixed_reader",
    "map_reader",
    "read_bytes",
    "read_long",
    "read_string",
    "union_reader",
]

Read: TypeAlias = Callable[[bytes, int], tuple[Any, int]]
EMPTY_ITEMS_MAX: Final = 1_000_000
"""Items of one value that have no bytes, as null: its bytes do not bound them."""
TOO_SHORT: Final = "the bytes end too early"
VARINT_BITS_MAX: Final = 64


class EmptyItems:
    """How many more items without bytes a value may have, in all its arrays together."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = EMPTY_ITEMS_MAX

    def take(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise DataError(TOO_SHORT)


class AvroDecoder:
    """Decodes by one schema, or by two: the one that wrote and the one that is wanted."""

    def __init__(self, read: Read, empty: EmptyItems) -> None:
        self._read = read
        self._empty = empty

    def decode(self, data: bytes, at: int = 0) -> Any:
        """The value from there to the end, or `DataError`."""
        self._empty.left = EMPTY_ITEMS_MAX
        try:
            value, end = self._read(data, at)
        except IndexError:
            raise DataError(TOO_SHORT) from None
        except RecursionError:
            raise DataError("the value is nested too deep") from None
        if end != len(data):
            raise DataError(f"{len(data) - end} bytes are left behind the value")
        return value


def read_long(data: bytes, at: int) -> tuple[int, int]:
    """IndexError where the bytes end too early."""
    byte = data[at]
    at += 1
    if byte < 0x80:
        return (byte >> 1) ^ -(byte & 1), at
    number, shift = byte & 0x7F, 7
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
        shift += 7
        if shift >= VARINT_BITS_MAX:
            raise DataError("a number has more than ten bytes")
    return (number >> 1) ^ -(number & 1), at


class Readers:
    """Keeps those of named types, which may hold themselves."""

    def __init__(self) -> None:
        self.empty = EmptyItems()
        """Counted by all of them together."""
        self._known: dict[int, Read] = {}

    def decoder_of(self, kind: AvroType) -> AvroDecoder:
        return AvroDecoder(self.of(kind), self.empty)

    def of(self, kind: AvroType) -> Read:
        return converted(self.without_logical(kind), kind)

    def without_logical(self, kind: AvroType) -> Read:
        if kind.kind in PRIMITIVE:
            return PRIMITIVE[kind.kind]
        known = self._known.get(id(kind))
        return self._compound(kind) if known is None else known

    def _compound(self, kind: AvroType) -> Read:
        match kind.kind:
            case "record" | "error":
                return self._record(kind)
            case "union":
                return union_reader([self.of(branch) for branch in kind.branches])
            case "array":
                return array_reader(self.of(kind.items), self.empty)
            case "map":
                return map_reader(self.of(kind.items))
            case "enum":
                return enum_reader(kind.symbols, kind.shown)
            case _:
                return fixed_reader(kind.size)

    def _record(self, kind: AvroType) -> Read:
        fields: list[tuple[str, Read]] = []

        def read(data: bytes, at: int) -> tuple[Any, int]:
            found: dict[str, Any] = {}
            name = ""
            try:
                for name, read_field in fields:
                    found[name], at = read_field(data, at)
            except DataError as error:
                raise error.under(name) from None
            except IndexError:
                raise DataError(TOO_SHORT, name) from None
            return found, at

        self._known[id(kind)] = read
        fields += [(field.name, self.of(field.type)) for field in kind.fields]
        return read


def converted(read: Read, kind: AvroType) -> Read:
    """With the values of its logical type, where it has one."""
    logical = logical_of(kind)
    if logical is None:
        return read
    raised = logical.raised

    def read_logical(data: bytes, at: int) -> tuple[Any, int]:
        value, at = read(data, at)
        return raised(value), at

    return read_logical


def union_reader(readers: list[Read]) -> Read:
    def read(data: bytes, at: int) -> tuple[Any, int]:
        index, at = read_long(data, at)
        if not 0 <= index < len(readers):
            raise DataError(f"the union has no branch {index}")
        return readers[index](data, at)

    return read


def _block(data: bytes, at: int) -> tuple[int, int]:
    """How many items come now; a negative count has the block's size behind it."""
    count, at = read_long(data, at)
    if count < 0:
        count = -count
        _, at = read_long(data, at)
    return count, at


def array_reader(read_item: Read, empty: EmptyItems) -> Read:
    def read(data: bytes, at: int) -> tuple[Any, int]:
        found: list[Any] = []
        while True:
            count, at = _block(data, at)
            if not count:
                return found, at
            item, end = read_item(data, at)
            if end == at:
                empty.take(count)
            elif count > len(data) - at:
                raise DataError(TOO_SHORT)
            at = end
            found.append(item)
            for _ in range(count - 1):
                item, at = read_item(data, at)
                found.append(item)

    return read


def map_reader(read_item: Read) -> Read:
    def read(data: bytes, at: int) -> tuple[Any, int]:
        found: dict[str, Any] = {}
        while True:
            count, at = _block(data, at)
            if not count:
                return found, at
            if count > len(data) - at:
                raise DataError(TOO_SHORT)
            for _ in range(count):
                key, at = read_string(data, at)
                found[key], at = read_item(data, at)

    return read


def enum_reader(symbols: list[str], shown: str) -> Read:
    def read(data: bytes, at: int) -> tuple[Any, int]:
        index, at = read_long(data, at)
        if not 0 <= index < len(symbols):
            raise DataError(f"{shown} has no symbol {index}")
        return symbols[index], at

    return read


def fixed_reader(size: int) -> Read:
    def read(data: bytes, at: int) -> tuple[Any, int]:
        end = at + size
        if end > len(data):
            raise DataError(TOO_SHORT)
        return data[at:end], end

    return read


def _read_null(data: bytes, at: int) -> tuple[None, int]:
    return None, at


def _read_boolean(data: bytes, at: int) -> tuple[bool, int]:
    if data[at] > 1:
        raise DataError(f"{data[at]} is no boolean")
    return data[at] == 1, at + 1


def _read_int(data: bytes, at: int) -> tuple[int, int]:
    number, at = read_long(data, at)
    if not -0x8000_0000 <= number <= 0x7FFF_FFFF:
        raise DataError(f"{number} is no int")
    return number, at


def _read_float(data: bytes, at: int) -> tuple[float, int]:
    if at + 4 > len(data):
        raise DataError(TOO_SHORT)
    return FLOAT.unpack_from(data, at)[0], at + 4


def _read_double(data: bytes, at: int) -> tuple[float, int]:
    if at + 8 > len(data):
        raise DataError(TOO_SHORT)
    return DOUBLE.unpack_from(data, at)[0], at + 8


def read_bytes(data: bytes, at: int) -> tuple[bytes, int]:
    size, at = read_long(data, at)
    end = at + size
    if size < 0 or end > len(data):
        raise DataError(TOO_SHORT)
    return data[at:end], end


def read_string(data: bytes, at: int) -> tuple[str, int]:
    found, at = read_bytes(data, at)
    try:
        return found.decode(), at
    except UnicodeDecodeError:
        raise DataError("a text is not UTF-8") from None


PRIMITIVE: Final[dict[str, Read]] = {
    "null": _read_null,
    "boolean": _read_boolean,
    "int": _read_int,
    "long": read_long,
    "float": _read_float,
    "double": _read_double,
    "bytes": read_bytes,
    "string": read_string,
}
