"""What generated decoders call when they cannot go on, and small things they share."""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct as Packer
from typing import Any, NoReturn

from moldau.errors import DecodeError
from moldau.platform.buffers import Buffer
from moldau.protocol.wire.varint import STRING_BYTES_MAX, decode_more

__all__ = [
    "ELEMENTS_MAX",
    "TAGS_MAX",
    "check_count",
    "more_text",
    "no_null",
    "tag_size_wrong",
    "too_heavy",
    "too_many",
    "too_many_tags",
    "too_short",
    "unpacker_for",
]

ELEMENTS_MAX = 1_000_000
"""Apache Kafka 4.4 refuses longer arrays; nothing real comes near."""
TAGS_MAX = 10_000
"""Apache Kafka 4.4 refuses more tagged fields in one struct."""


def too_short(missing: int) -> NoReturn:
    raise DecodeError(f"the message ends {missing} bytes before a value that it announces")


def no_null(field: str) -> NoReturn:
    raise DecodeError(f"{field} is null, which this version does not allow")


def too_many(field: str, count: int, room: int) -> NoReturn:
    raise DecodeError(
        f"{field} announces {count} elements where {room} bytes are left "
        f"and at most {ELEMENTS_MAX} are accepted"
    )


def check_count(field: str, count: int, least: int, room: int, owed: int, limit: int) -> None:
    """Elements of `least` bytes must fit the bytes that are left, and what is owed the limit."""
    if count * least > room or count > ELEMENTS_MAX:
        too_many(field, count, room)
    if owed > limit:
        too_heavy(field, limit)


def too_many_tags(count: int) -> NoReturn:
    raise DecodeError(f"a struct announces {count} tagged fields, more than it can have")


def too_heavy(field: str, limit: int) -> NoReturn:
    raise DecodeError(f"{field} would take more memory than the {limit} bytes its frame may cost")


def tag_size_wrong(tag: int, beyond: int) -> NoReturn:
    raise DecodeError(f"tagged field {tag} takes {beyond} bytes more than it announces")


def more_text(buffer: Buffer, position: int, first: int) -> tuple[int, int]:
    """Go on reading the compact length of a string, which may not be longer than an old one."""
    number, position = decode_more(buffer, position, first)
    if number > STRING_BYTES_MAX + 1:
        raise DecodeError(f"a string of {number - 1} bytes; {STRING_BYTES_MAX} are the most")
    return number, position


def unpacker_for(code: str, count: int) -> Callable[..., tuple[Any, ...]]:
    """For arrays too long to keep a packer ready."""
    return Packer(f">{count}{code}").unpack_from
