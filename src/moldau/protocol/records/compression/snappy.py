"""Snappy: blocks in the framing of xerial's snappy-java, or one raw block without any.

    header   82 'S' 'N' 'A' 'P' 'P' 'Y' 00, version 1, oldest version that reads it 1 (int32 each)
    block    int32 length, then a raw snappy block of at most 32 KiB unfolded; repeated

snappy-java writes blocks of 32 KiB; librdkafka and others may send a single raw block. As in the
Java client, another header may stand between blocks (streams one after another), and a tail too
short for a block length is ignored. A raw block opens with the length that it unfolds to: a
claim, judged before memory is taken. Snappy's densest element makes 64 bytes of three, so no
valid claim is above 22 times the input.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct

import cramjam

from moldau.errors import CorruptRecordError
from moldau.protocol.records.compression.budget import Budget

_MAGIC = b"\x82SNAPPY\x00"
_VERSION = 1
_VERSIONS = Struct(">ii")
_LENGTH = Struct(">i")
_HEADER_SIZE = len(_MAGIC) + _VERSIONS.size
_HEADER = _MAGIC + _VERSIONS.pack(_VERSION, _VERSION)
_BLOCK_BYTES = 32 * 1024
_GROWTH_MAX = 22


def compress(data: memoryview, level: int) -> bytes:
    parts = [_HEADER]
    for start in range(0, len(data), _BLOCK_BYTES):
        block = bytes(cramjam.snappy.compress_raw(data[start : start + _BLOCK_BYTES]))
        parts += (_LENGTH.pack(len(block)), block)
    return b"".join(parts)


def decompress_steps(
    data: memoryview, budget: Budget, step_bytes: int, magic: int
) -> Iterator[bytes]:
    if data[: len(_MAGIC)] != _MAGIC:
        yield _unfold(data, budget)
        return
    if len(data) < _HEADER_SIZE:
        raise CorruptRecordError("snappy data ends in the middle of its header")
    position = _HEADER_SIZE
    while position + _LENGTH.size <= len(data):
        if data[position : position + _HEADER_SIZE] == _HEADER:
            position += _HEADER_SIZE
            continue
        start = position + _LENGTH.size
        (length,) = _LENGTH.unpack_from(data, position)
        position = start + length
        if length < 0 or position > len(data):
            raise CorruptRecordError(
                f"snappy block claims {length} bytes where {len(data) - start} are left"
            )
        yield _unfold(data[start:position], budget)


def _unfold(block: memoryview, budget: Budget) -> bytes:
    try:
        size = cramjam.snappy.decompress_raw_len(block)
        if size > len(block) * _GROWTH_MAX:
            raise CorruptRecordError(f"snappy block of {len(block)} bytes claims to hold {size}")
        budget.spend(size)
        return bytes(cramjam.snappy.decompress_raw(block))
    except cramjam.DecompressionError as error:
        raise CorruptRecordError(f"snappy data is damaged: {error}") from None
