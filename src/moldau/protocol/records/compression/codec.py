"""The table of codecs, and the two verbs of its callers: `compress` and `decompress`.

A batch has in the low three bits of its attributes which codec its records went through. Level
ranges and defaults are those of Apache Kafka 4.3 (KIP-390); gzip's -1 leaves the choice to zlib.
A codec's library is loaded when the first records go through it: most nodes never compress.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import NamedTuple

from moldau.errors import CorruptRecordError
from moldau.platform.buffers import Buffer
from moldau.protocol.records.compression.budget import (
    OUTPUT_BYTES_MAX,
    RATIO_MAX,
    STEP_BYTES,
    Budget,
)

MAGIC_NOW = 2


class Codec(IntEnum):
    """The number of a codec, as it stands in the attributes of a batch."""

    NONE = 0
    GZIP = 1
    SNAPPY = 2
    LZ4 = 3
    ZSTD = 4


class Coding(NamedTuple):
    """The two ways through a codec."""

    compress: Callable[[memoryview, int], bytes]
    decompress_steps: Callable[[memoryview, Budget, int, int], Iterator[bytes]]


class CodecFormat(NamedTuple):
    """What the table has for a codec; one without levels has only its default."""

    name: str
    level_default: int
    level_min: int
    level_max: int
    load: Callable[[], Coding]

    def accepts_level(self, level: int) -> bool:
        return level == self.level_default or self.level_min <= level <= self.level_max


def _keep(data: memoryview, level: int) -> bytes:
    return bytes(data)


def _keep_steps(data: memoryview, budget: Budget, step_bytes: int, magic: int) -> Iterator[bytes]:
    budget.spend(len(data))
    for start in range(0, len(data), step_bytes):
        yield bytes(data[start : start + step_bytes])


def _none() -> Coding:
    return Coding(_keep, _keep_steps)


def _gzip() -> Coding:
    from moldau.protocol.records.compression import gzip

    return Coding(gzip.compress, gzip.decompress_steps)


def _snappy() -> Coding:
    from moldau.protocol.records.compression import snappy

    return Coding(snappy.compress, snappy.decompress_steps)


def _lz4() -> Coding:
    from moldau.protocol.records.compression import lz4

    return Coding(lz4.compress, lz4.decompress_steps)


def _zstd() -> Coding:
    from moldau.protocol.records.compression import zstd

    return Coding(zstd.compress, zstd.decompress_steps)


CODECS = {
    Codec.NONE: CodecFormat("none", 0, 0, 0, _none),
    Codec.GZIP: CodecFormat("gzip", -1, 1, 9, _gzip),
    Codec.SNAPPY: CodecFormat("snappy", 0, 0, 0, _snappy),
    Codec.LZ4: CodecFormat("lz4", 9, 1, 17, _lz4),
    Codec.ZSTD: CodecFormat("zstd", 3, -131072, 22, _zstd),
}


def compress(codec: int, data: Buffer, level: int | None = None) -> bytes:
    """`data` as one compressed block, at the codec's default level where none is given."""
    codec_format = CODECS[Codec(codec)]
    chosen = codec_format.level_default if level is None else level
    assert codec_format.accepts_level(chosen), f"{codec_format.name} has no level {chosen}"
    return codec_format.load().compress(memoryview(data), chosen)


def decompress(
    codec: int,
    data: Buffer,
    *,
    output_bytes_max: int = OUTPUT_BYTES_MAX,
    ratio_max: int = RATIO_MAX,
    magic: int = MAGIC_NOW,
) -> bytes:
    """What was compressed, whole, or `CorruptRecordError`."""
    steps = decompress_steps(
        codec, data, output_bytes_max=output_bytes_max, ratio_max=ratio_max, magic=magic
    )
    return b"".join(steps)


def decompress_steps(
    codec: int,
    data: Buffer,
    *,
    step_bytes: int = STEP_BYTES,
    output_bytes_max: int = OUTPUT_BYTES_MAX,
    ratio_max: int = RATIO_MAX,
    magic: int = MAGIC_NOW,
) -> Iterator[bytes]:
    """What was compressed, in pieces: gzip and zstd of `step_bytes`, the others of a block."""
    try:
        codec_format = CODECS[Codec(codec)]
    except ValueError:
        raise CorruptRecordError(f"batch names compression codec {codec}: there is none") from None
    budget = Budget(codec_format.name, len(data), output_bytes_max, ratio_max)
    return codec_format.load().decompress_steps(memoryview(data), budget, step_bytes, magic)
