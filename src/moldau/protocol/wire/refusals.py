"""What generated encoders call when a value cannot be written, and small things they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter
from struct import Struct as Packer
from typing import NoReturn

from moldau.errors import EncodeError
from moldau.platform.buffers import Buffer
from moldau.protocol.wire.varint import STRING_BYTES_MAX, encode_uvarint

__all__ = [
    "SPLIT_FROM",
    "join_tags",
    "no_null",
    "no_tags",
    "no_uuid",
    "not_in_version",
    "packer_of",
    "text_uvarint",
]

SPLIT_FROM = 4096
"""Buffers above this size become parts of their own: copying a smaller one costs less."""

SHORT_ARRAYS = 512


def no_null(field: str) -> NoReturn:
    raise EncodeError(f"{field} is null, which this version does not allow")


def no_tags(version: int) -> NoReturn:
    raise EncodeError(f"version {version} has no room for unknown tagged fields")


def no_uuid(field: str, value: bytes) -> NoReturn:
    raise EncodeError(f"{field} is {value!r}, but an id has exactly 16 bytes")


def not_in_version(field: str, version: int) -> NoReturn:
    raise EncodeError(f"{field} is set, but version {version} does not have it")


def text_uvarint(number: int) -> bytes:
    """The compact length of a string, which may not be longer than an old one."""
    if number > STRING_BYTES_MAX + 1:
        raise EncodeError(f"a string of {number - 1} bytes; {STRING_BYTES_MAX} are the most")
    return encode_uvarint(number)


def join_tags(tags: Sequence[tuple[int, Buffer]]) -> bytes:
    """The section of tagged fields, by rising tag."""
    out = bytearray(encode_uvarint(len(tags)))
    for tag, data in sorted(tags, key=itemgetter(0)):
        out += encode_uvarint(tag) + encode_uvarint(len(data)) + data
    return bytes(out)


def packer_of(code: str, count: int) -> Callable[..., bytes]:
    """Packs an array of numbers."""
    if count > SHORT_ARRAYS:
        return Packer(f">{count}{code}").pack
    return _short_packer(code, count)


@cache
def _short_packer(code: str, count: int) -> Callable[..., bytes]:
    return Packer(f">{count}{code}").pack
