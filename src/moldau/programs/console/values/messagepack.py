"""MessagePack as JSON, so that it can be read, and JSON as MessagePack (https://msgpack.org).

Nearly any byte is the beginning of something in this format. So only a map or an array that takes
all bytes, and whose keys are text, counts as one: other binary data stay what they are. A count is
held against the bytes that are left before anything is made, and nesting has a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from struct import Struct
from types import MappingProxyType
from typing import Any, Final

__all__ = ["NotMessagePackError", "decoded", "encoded"]

DEPTH_MAX: Final = 32
FIXMAP, FIXARRAY, FIXSTR, FIXSTR_END = 0x80, 0x90, 0xA0, 0xC0
NEGATIVE_FIXINT: Final = 0xE0
CONSTANTS: Final[Mapping[int, bool | None]] = MappingProxyType(
    {0xC0: None, 0xC2: False, 0xC3: True}
)
NUMBERS: Final[Mapping[int, Struct]] = MappingProxyType(
    {
        0xCA: Struct(">f"), 0xCB: Struct(">d"), 0xCC: Struct(">B"), 0xCD: Struct(">H"),
        0xCE: Struct(">I"), 0xCF: Struct(">Q"), 0xD0: Struct(">b"), 0xD1: Struct(">h"),
        0xD2: Struct(">i"), 0xD3: Struct(">q"),
    }
)  # fmt: skip
DOUBLE: Final = b"\xcb"
UNSIGNED: Final = (0xCC, 0xCD, 0xCE, 0xCF)
SIGNED: Final = (0xD0, 0xD1, 0xD2, 0xD3)
"""Kinds of whole numbers, the shortest first."""
SIZED: Final[Mapping[int, tuple[str, int]]] = MappingProxyType(
    {
        0xC4: ("bytes", 1), 0xC5: ("bytes", 2), 0xC6: ("bytes", 4),
        0xC7: ("extension", 1), 0xC8: ("extension", 2), 0xC9: ("extension", 4),
        0xD9: ("text", 1), 0xDA: ("text", 2), 0xDB: ("text", 4),
        0xDC: ("array", 2), 0xDD: ("array", 4), 0xDE: ("map", 2), 0xDF: ("map", 4),
    }
)  # fmt: skip
"""What follows, and the bytes of its size."""
FIXED_EXTENSIONS: Final[Mapping[int, int]] = MappingProxyType(
    {0xD4: 1, 0xD5: 2, 0xD6: 4, 0xD7: 8, 0xD8: 16}
)


class NotMessagePackError(ValueError):
    """These bytes are something else."""


def decoded(data: bytes) -> dict[str, Any] | list[Any]:
    """The map or array that the bytes are; bytes in it are hexadecimal digits."""
    reader = _Reader(data)
    found = reader.value(0)
    if not isinstance(found, dict | list) or reader.position != len(data):
        raise NotMessagePackError
    return found


def encoded(value: object) -> bytes:
    """Of what JSON has; each part is as short as it can be. `ValueError` where it has no form."""
    if value is None or isinstance(value, bool):
        return bytes((next(kind for kind, one in CONSTANTS.items() if one is value),))
    if isinstance(value, int):
        return _number(value)
    if isinstance(value, float):
        return DOUBLE + NUMBERS[DOUBLE[0]].pack(value)
    if isinstance(value, str):
        data = value.encode()
        return _head("text", FIXSTR, FIXSTR_END, len(data)) + data
    if isinstance(value, list):
        return _head("array", FIXARRAY, FIXSTR, len(value)) + b"".join(map(encoded, value))
    assert isinstance(value, dict)
    parts = [encoded(name) + encoded(one) for name, one in value.items()]
    return _head("map", FIXMAP, FIXARRAY, len(value)) + b"".join(parts)


def _number(value: int) -> bytes:
    if -32 <= value < FIXMAP:
        return bytes((value % 256,))
    bits = value.bit_length() if value >= 0 else (~value).bit_length() + 1
    for kind in UNSIGNED if value >= 0 else SIGNED:
        if bits <= 8 * NUMBERS[kind].size:
            return bytes((kind,)) + NUMBERS[kind].pack(value)
    raise ValueError("a whole number has more than 64 bits")


def _head(what: str, fixed: int, fixed_end: int, size: int) -> bytes:
    """What follows, and how many of it."""
    if size < fixed_end - fixed:
        return bytes((fixed + size,))
    kind, width = next(
        (kind, width)
        for kind, (name, width) in SIZED.items()
        if name == what and size < 1 << 8 * width
    )
    return bytes((kind,)) + size.to_bytes(width)


class _Reader:
    """From the front to the end."""

    def __init__(self, data: bytes) -> None:
        self.position = 0
        self._data = data

    def value(self, depth: int) -> Any:  # noqa: ANN401  # whatever it is
        if depth > DEPTH_MAX:
            raise NotMessagePackError
        kind = self._take(1)[0]
        if kind < FIXMAP or kind >= NEGATIVE_FIXINT:
            return kind if kind < FIXMAP else kind - 256
        if kind < FIXSTR_END:
            return self._small(kind, depth)
        if kind in CONSTANTS:
            return CONSTANTS[kind]
        if (number := NUMBERS.get(kind)) is not None:
            return number.unpack(self._take(number.size))[0]
        if kind in FIXED_EXTENSIONS:
            return self._extension(FIXED_EXTENSIONS[kind], depth)
        if kind not in SIZED:
            raise NotMessagePackError
        what, width = SIZED[kind]
        return self._sized(what, int.from_bytes(self._take(width)), depth)

    def _small(self, kind: int, depth: int) -> Any:  # noqa: ANN401
        if kind >= FIXSTR:
            return self._text(kind - FIXSTR, depth)
        if kind >= FIXARRAY:
            return self._array(kind - FIXARRAY, depth)
        return self._map(kind - FIXMAP, depth)

    def _sized(self, what: str, size: int, depth: int) -> Any:  # noqa: ANN401
        readers: Mapping[str, Callable[[int, int], Any]] = {
            "bytes": self._bytes, "extension": self._extension, "text": self._text,
            "array": self._array, "map": self._map,
        }  # fmt: skip
        return readers[what](size, depth)

    def _text(self, size: int, _: int) -> str:
        try:
            return self._take(size).decode()
        except UnicodeDecodeError:
            raise NotMessagePackError from None

    def _bytes(self, size: int, _: int) -> str:
        return self._take(size).hex(" ")

    def _extension(self, size: int, _: int) -> dict[str, Any]:
        kind = int.from_bytes(self._take(1), signed=True)
        return {"extension": kind, "data": self._take(size).hex(" ")}

    def _array(self, count: int, depth: int) -> list[Any]:
        self._check(count)
        return [self.value(depth + 1) for _ in range(count)]

    def _map(self, count: int, depth: int) -> dict[str, Any]:
        self._check(2 * count)
        found: dict[str, Any] = {}
        for _ in range(count):
            name = self.value(depth + 1)
            if not isinstance(name, str):
                raise NotMessagePackError
            found[name] = self.value(depth + 1)
        return found

    def _check(self, count: int) -> None:
        """Each value takes a byte at least."""
        if count > len(self._data) - self.position:
            raise NotMessagePackError

    def _take(self, size: int) -> bytes:
        end = self.position + size
        if end > len(self._data):
            raise NotMessagePackError
        taken, self.position = self._data[self.position : end], end
        return taken
