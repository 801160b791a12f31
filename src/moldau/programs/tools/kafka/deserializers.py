"""What Kafka's deserializers make of bytes, as the text that Java prints of it."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

from moldau.errors import MoldauError

__all__ = ["READERS", "Reader", "UnreadableError"]

Reader = Callable[[bytes], bytes]
PLAIN_MIN, PLAIN_END = 1e-3, 1e7
"""Between these Java writes a number without an exponent."""
DOUBLE_DIGITS, FLOAT_DIGITS = 17, 9
"""Enough to distinguish any two of them."""
UUID = re.compile("-".join(["([0-9a-fA-F]{1,16})"] * 5))
UUID_DIGITS = (8, 4, 4, 4, 12)
PRINTED = range(0x20, 0x7F)
"""Bytes that `Bytes` shows as they are, but for the backslash."""


class UnreadableError(MoldauError):
    """Bytes that a deserializer cannot read, or a class that is not here."""


def _sized(size: int, data: bytes, whose: str) -> bytes:
    if len(data) != size:
        raise UnreadableError(f"Size of data received by {whose} is not {size}")
    return data


def _whole(size: int, whose: str) -> Reader:
    return lambda data: str(int.from_bytes(_sized(size, data, whose), "big", signed=True)).encode()


def _real(form: str, digits: int) -> Reader:
    size = struct.calcsize(form)

    def read(data: bytes) -> bytes:
        (number,) = struct.unpack(form, _sized(size, data, "Deserializer"))
        return _java_number(number, lambda text: struct.pack(form, float(text)) == data, digits)

    return read


def _java_number(number: float, is_same: Callable[[str], bool], digits: int) -> bytes:
    if number != number:
        return b"NaN"
    if number in (float("inf"), float("-inf")):
        return b"Infinity" if number > 0 else b"-Infinity"
    shortest = (f"{number:.{count}e}" for count in range(1, digits))
    mantissa, _, power = next(text for text in shortest if is_same(text)).partition("e")
    if number == 0 or PLAIN_MIN <= abs(number) < PLAIN_END:
        return repr(float(f"{mantissa}e{power}")).encode()
    return f"{mantissa}E{int(power)}".encode()


def _text(data: bytes) -> bytes:
    return data.decode(errors="replace").encode()


def _boolean(data: bytes) -> bytes:
    (byte,) = _sized(1, data, "BooleanDeserializer")
    if byte > 1:
        raise UnreadableError(f"Unexpected byte received by BooleanDeserializer: {byte}")
    return b"true" if byte else b"false"


def _uuid(data: bytes) -> bytes:
    found = UUID.fullmatch(data.decode(errors="replace"))
    if found is None:
        raise UnreadableError("Error parsing data into UUID")
    parts = zip(found.groups(), UUID_DIGITS, strict=True)
    return "-".join(part[-digits:].lower().zfill(digits) for part, digits in parts).encode()


def _escaped(data: bytes) -> bytes:
    shown = (
        chr(byte) if byte in PRINTED and byte != ord("\\") else f"\\x{byte:02X}" for byte in data
    )
    return "".join(shown).encode()


def _buffer(data: bytes) -> bytes:
    return f"java.nio.HeapByteBuffer[pos=0 lim={len(data)} cap={len(data)}]".encode()


def _void(_data: bytes) -> bytes:
    raise UnreadableError("Data should be null for a VoidDeserializer.")


READERS: dict[str, Reader] = {
    "StringDeserializer": _text,
    "ByteArrayDeserializer": bytes,
    "IntegerDeserializer": _whole(4, "IntegerDeserializer"),
    "LongDeserializer": _whole(8, "LongDeserializer"),
    "ShortDeserializer": _whole(2, "ShortDeserializer"),
    "DoubleDeserializer": _real(">d", DOUBLE_DIGITS),
    "FloatDeserializer": _real(">f", FLOAT_DIGITS),
    "BooleanDeserializer": _boolean,
    "UUIDDeserializer": _uuid,
    "BytesDeserializer": _escaped,
    "ByteBufferDeserializer": _buffer,
    "VoidDeserializer": _void,
}
"""By Kafka's names; its `ByteArrayDeserializer` shows an address, ours the bytes."""
