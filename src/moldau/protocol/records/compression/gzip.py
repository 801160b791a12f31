"""gzip (RFC 1952), written as one member, read as any number of them.

As Java's GZIPInputStream does, members that follow one another are joined, and what follows the
last one and is no member is ignored.
"""

from __future__ import annotations

import zlib
from collections.abc import Generator, Iterator

from moldau.errors import CorruptRecordError
from moldau.protocol.records.compression.budget import Budget

_GZIP_WINDOW_BITS = 31
_MEMBER_START = b"\x1f\x8b\x08"
_MEMBER_HEADER_SIZE = 10
_INPUT_STEP_BYTES = 32 * 1024
"""Input given to zlib at once: it hands back a copy of what it did not use."""


def compress(data: memoryview, level: int) -> bytes:
    return zlib.compress(data, level, _GZIP_WINDOW_BITS)


def decompress_steps(
    data: memoryview, budget: Budget, step_bytes: int, magic: int
) -> Iterator[bytes]:
    position = yield from _member_steps(data, 0, budget, step_bytes)
    while _starts_member(data[position : position + _MEMBER_HEADER_SIZE]):
        position = yield from _member_steps(data, position, budget, step_bytes)


def _starts_member(header: memoryview) -> bool:
    return len(header) == _MEMBER_HEADER_SIZE and header[: len(_MEMBER_START)] == _MEMBER_START


def _member_steps(
    data: memoryview, position: int, budget: Budget, step_bytes: int
) -> Generator[bytes, None, int]:
    member = zlib.decompressobj(_GZIP_WINDOW_BITS)
    unused = memoryview(b"")
    while not member.eof:
        if not unused:
            unused = data[position : position + _INPUT_STEP_BYTES]
            position += len(unused)
        piece = _step(member, unused, budget.room(step_bytes))
        if piece:
            budget.spend(len(piece))
            yield piece
        elif not member.eof and position == len(data):
            raise CorruptRecordError("gzip data ends in the middle of a member")
        unused = memoryview(member.unconsumed_tail)
    return position - len(member.unused_data)


def _step(member: zlib._Decompress, piece: memoryview, room: int) -> bytes:
    try:
        return member.decompress(piece, room)
    except zlib.error as error:
        raise CorruptRecordError(f"gzip data is damaged: {error}") from None
