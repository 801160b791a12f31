"""Variable-length numbers: seven bits a byte, the lowest first, the top bit is "more follows".

Lengths, counts and tags are unsigned and at most 32 bits wide. The signed numbers inside records
are zig-zag coded: `records` has them in its own loops.
"""

from __future__ import annotations

from typing import Final

from moldau.errors import DecodeError
from moldau.platform.buffers import Buffer

UVARINT_BYTES_MAX: Final = 5
"""A 32-bit number never needs more."""
STRING_BYTES_MAX: Final = 32767
"""The largest value of the old two-byte length; Kafka allows no more in the compact form either."""

ONE_BYTE: Final = tuple(bytes((n,)) for n in range(128))
"""The encoding of every number that fits one byte: nearly all that are written."""


def encode_uvarint(number: int) -> bytes:
    if number < 128:
        return ONE_BYTE[number]
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def decode_uvarint(buffer: Buffer, position: int) -> tuple[int, int]:
    """The number and the position after it; an `IndexError` where the bytes run out."""
    byte = buffer[position]
    if byte < 128:
        return byte, position + 1
    return decode_more(buffer, position + 1, byte)


def decode_more(buffer: Buffer, position: int, first: int) -> tuple[int, int]:
    """Go on after `first`, a byte of 128 or above, which was read already.

    # hot: two bytes take 90 ns and three 130, where the loop takes 270 and 330; a batch of 16 KiB
    has three. `b - 1 << 7` adds the second byte and takes the first one's top bit away.
    """
    second = buffer[position]
    if second < 128:
        return first + (second - 1 << 7), position + 1
    third = buffer[position + 1]
    if third < 128:
        return first + (second - 1 << 7) + (third - 1 << 14), position + 2
    return _decode_long(buffer, position, first)


def _decode_long(buffer: Buffer, position: int, first: int) -> tuple[int, int]:
    number = first & 127
    for shift in range(7, 7 * UVARINT_BYTES_MAX, 7):
        byte = buffer[position]
        position += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number & 0xFFFFFFFF, position
    raise DecodeError(f"a number of more than {UVARINT_BYTES_MAX} bytes at byte {position}")
