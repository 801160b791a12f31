"""LZ4 frames, as far as Kafka uses them: version 1, blocks independent of each other.

    04 22 4D 18 | flags | block size code | content size (8 bytes, if flagged) | header checksum
    { uint32 length, top bit set where the block is stored as it is | block | checksum if flagged }
    uint32 0 | content checksum if flagged

Header and block checksums are xxHash-32; the header keeps its second byte. Kafka before 0.10
computed the header's over the magic bytes too; in message sets of format 0, and only there, it is
not looked at (KIP-57). Kafka's clients write blocks of 64 KiB and neither block nor content
checksum; the content checksum is skipped, the batch has its own. Reading ends with the frame:
as in the Java client, what follows it is ignored. All numbers are little-endian.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from struct import Struct
from typing import NamedTuple

from lz4 import block

from moldau.errors import CorruptRecordError
from moldau.protocol.records.compression.budget import Budget
from moldau.protocol.records.compression.xxhash32 import xxhash32

_MAGIC = b"\x04\x22\x4d\x18"
_FLAGS_WRITTEN = 0x60
"""Version 1, independent blocks."""
_BLOCK_CODE_WRITTEN = 4
_BLOCK_BYTES = 64 * 1024
_VERSION_AND_INDEPENDENCE = 0xE0
_RESERVED_FLAGS = 0x03
_BLOCK_CHECKSUM_FLAG = 0x10
_CONTENT_SIZE_FLAG = 0x08
_CONTENT_CHECKSUM_FLAG = 0x04
_BLOCK_CODES = {4 << 4: 64 << 10, 5 << 4: 256 << 10, 6 << 4: 1 << 20, 7 << 4: 4 << 20}
_STORED_BIT = 0x80000000
_HEADER_SIZE_MIN = 7
_CONTENT_SIZE_BYTES = 8
_CHECKSUM_BYTES = 4
_LENGTH = Struct("<I")
_GROWTH_MAX = 255
"""What one more byte of a block can at most unfold to."""
LEVEL_FAST = 9
"""Kafka's default level means the fast compressor; every other means the high one."""


class _Frame(NamedTuple):
    blocks_start: int
    block_bytes_max: int
    block_checksums: bool
    tail_size: int


def compress(data: memoryview, level: int) -> bytes:
    descriptor = bytes((_FLAGS_WRITTEN, _BLOCK_CODE_WRITTEN << 4))
    parts: list[bytes | memoryview] = [_MAGIC, descriptor, _header_checksum(descriptor)]
    for start in range(0, len(data), _BLOCK_BYTES):
        plain = data[start : start + _BLOCK_BYTES]
        packed = _compress_block(plain, level)
        if len(packed) < len(plain):
            parts += (_LENGTH.pack(len(packed)), packed)
        else:
            parts += (_LENGTH.pack(len(plain) | _STORED_BIT), plain)
    parts.append(_LENGTH.pack(0))
    return b"".join(parts)


def _compress_block(plain: memoryview, level: int) -> bytes:
    mode = "default" if level == LEVEL_FAST else "high_compression"
    packed: bytes = block.compress(plain, mode=mode, compression=level, store_size=False)
    return packed


@lru_cache(maxsize=16)  # each client has one, or a few
def _header_checksum(descriptor: bytes) -> bytes:
    return bytes((xxhash32(descriptor) >> 8 & 0xFF,))


def decompress_steps(
    data: memoryview, budget: Budget, step_bytes: int, magic: int
) -> Iterator[bytes]:
    frame = _read_frame_header(data, magic)
    position = frame.blocks_start
    while length := _read_length(data, position):
        position += _LENGTH.size
        end = position + (length & ~_STORED_BIT)
        _check_block_length(data, position, end, frame)
        packed = data[position:end]
        stored = length & _STORED_BIT
        piece = bytes(packed) if stored else _unfold(packed, frame.block_bytes_max)
        if frame.block_checksums:
            _check_block_checksum(data, packed, end)
            end += _CHECKSUM_BYTES
        budget.spend(len(piece))
        yield piece
        position = end
    if position + _LENGTH.size + frame.tail_size > len(data):
        raise CorruptRecordError("lz4 data ends before the end of its frame")


def _read_frame_header(data: memoryview, magic: int) -> _Frame:
    if len(data) < _HEADER_SIZE_MIN:
        raise CorruptRecordError("lz4 data ends in the middle of its header")
    if data[:4] != _MAGIC:
        raise CorruptRecordError("lz4 data does not start with an LZ4 frame")
    flags, code = data[4], data[5]
    if flags & _VERSION_AND_INDEPENDENCE != _FLAGS_WRITTEN or flags & _RESERVED_FLAGS:
        raise CorruptRecordError(f"lz4 frame has flags {flags:#04x}: unknown, or linked blocks")
    if code not in _BLOCK_CODES:
        raise CorruptRecordError(f"lz4 frame has block size code {code:#04x}: unknown")
    end = 6 + (_CONTENT_SIZE_BYTES if flags & _CONTENT_SIZE_FLAG else 0)
    if len(data) <= end:
        raise CorruptRecordError("lz4 data ends in the middle of its header")
    if magic and data[end : end + 1] != _header_checksum(bytes(data[4:end])):
        raise CorruptRecordError("lz4 frame header fails its checksum")
    return _Frame(
        blocks_start=end + 1,
        block_bytes_max=_BLOCK_CODES[code],
        block_checksums=bool(flags & _BLOCK_CHECKSUM_FLAG),
        tail_size=_CHECKSUM_BYTES if flags & _CONTENT_CHECKSUM_FLAG else 0,
    )


def _read_length(data: memoryview, position: int) -> int:
    if position + _LENGTH.size > len(data):
        raise CorruptRecordError("lz4 data ends before the end of its frame")
    length: int = _LENGTH.unpack_from(data, position)[0]
    return 0 if length == _STORED_BIT else length


def _check_block_length(data: memoryview, start: int, end: int, frame: _Frame) -> None:
    if end - start > frame.block_bytes_max:
        raise CorruptRecordError(
            f"lz4 block of {end - start} bytes in a frame of blocks up to {frame.block_bytes_max}"
        )
    if end + _CHECKSUM_BYTES * frame.block_checksums > len(data):
        raise CorruptRecordError("lz4 data ends in the middle of a block")


def _unfold(packed: memoryview, block_bytes_max: int) -> bytes:
    size_max = min(block_bytes_max, len(packed) * _GROWTH_MAX)
    try:
        plain: bytes = block.decompress(packed, uncompressed_size=size_max)
    except block.LZ4BlockError:
        raise CorruptRecordError("lz4 block is damaged, or larger than its frame allows") from None
    return plain


def _check_block_checksum(data: memoryview, packed: memoryview, position: int) -> None:
    if xxhash32(packed) != _LENGTH.unpack_from(data, position)[0]:
        raise CorruptRecordError("lz4 block fails its checksum")
