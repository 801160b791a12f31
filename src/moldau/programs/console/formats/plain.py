"""Formats of the console itself that a reader chooses: numbers, UUIDs and base64, as clients write
them; numbers have their highest byte first.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

__all__ = ["PLAIN", "PlainFormat"]

UUID_BYTES: Final = 16
UUID_TEXT: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


class PlainFormat(NamedTuple):
    """From bytes to text and back; both raise `ValueError` with a reason."""

    decode: Callable[[bytes], str]
    encode: Callable[[str], bytes]


def _number(name: str, size: int, *, signed: bool) -> PlainFormat:
    def decode(data: bytes) -> str:
        _ensure(name, size, data)
        return str(int.from_bytes(data, signed=signed))

    def encode(text: str) -> bytes:
        try:
            return int(text).to_bytes(size, signed=signed)
        except (OverflowError, ValueError):
            raise ValueError(f"{name} is a whole number that has room in {size} bytes") from None

    return PlainFormat(decode, encode)


def _uuid(data: bytes) -> str:
    _ensure("uuid", UUID_BYTES, data)
    digits = data.hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _uuid_bytes(text: str) -> bytes:
    if not UUID_TEXT.fullmatch(text):
        raise ValueError("a UUID is written like 00112233-4455-6677-8899-aabbccddeeff")
    return bytes.fromhex(text.replace("-", ""))


def _ensure(name: str, size: int, data: bytes) -> None:
    if len(data) != size:
        raise ValueError(f"it has {len(data)} bytes, and {name} has {size}: choose another format")


PLAIN: Final[Mapping[str, PlainFormat]] = {
    "int32": _number("int32", 4, signed=True),
    "int64": _number("int64", 8, signed=True),
    "uint32": _number("uint32", 4, signed=False),
    "uint64": _number("uint64", 8, signed=False),
    "uuid": PlainFormat(_uuid, _uuid_bytes),
    "base64": PlainFormat(
        lambda data: b64encode(data).decode(), lambda text: b64decode(text, validate=True)
    ),
}
