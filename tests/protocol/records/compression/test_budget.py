"""Bombs do not go off: output and growth are bounded before memory is taken."""

from __future__ import annotations

import tracemalloc
import zlib
from collections.abc import Iterator

import pytest

from moldau.errors import CorruptRecordError
from moldau.protocol.records.compression import Codec, compress, decompress
from moldau.protocol.records.compression.budget import OUTPUT_BYTES_MAX, RATIO_FREE_BYTES, Budget

MIB = 1 << 20
SNAPPY_CLAIMS_4_GIB = b"\xff\xff\xff\xff\x0f" + bytes(MIB)


def gzip_of_zeros(size: int) -> bytes:
    deflate = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join([deflate.compress(bytes(MIB)) for _ in range(size // MIB)]) + deflate.flush()


@pytest.fixture
def _memory() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def test_output_counts_until_the_limit() -> None:
    budget = Budget("gzip", 10, output_bytes_max=100, ratio_max=2)
    budget.spend(100)
    assert budget.room(50) == 1
    with pytest.raises(CorruptRecordError, match="100 bytes allowed"):
        budget.spend(1)


def test_small_outputs_are_not_judged_by_their_ratio() -> None:
    budget = Budget("zstd", 1, OUTPUT_BYTES_MAX, ratio_max=2)
    budget.spend(RATIO_FREE_BYTES)
    with pytest.raises(CorruptRecordError):
        budget.spend(1)


def test_large_outputs_are_judged_by_their_ratio() -> None:
    budget = Budget("zstd", RATIO_FREE_BYTES, OUTPUT_BYTES_MAX, ratio_max=2)
    budget.spend(2 * RATIO_FREE_BYTES)
    with pytest.raises(CorruptRecordError):
        budget.spend(1)


@pytest.mark.usefixtures("_memory")
@pytest.mark.parametrize(
    ("codec", "bomb"),
    [
        (Codec.SNAPPY, SNAPPY_CLAIMS_4_GIB),
        (Codec.LZ4, compress(Codec.LZ4, bytes(64 * MIB))),
        (Codec.GZIP, gzip_of_zeros(64 * MIB)),
        (Codec.ZSTD, compress(Codec.ZSTD, bytes(64 * MIB))),
    ],
)
def test_a_bomb_is_refused_before_it_fills_the_memory(codec: Codec, bomb: bytes) -> None:
    with pytest.raises(CorruptRecordError):
        decompress(codec, bomb, output_bytes_max=4 * MIB)
    _, peak = tracemalloc.get_traced_memory()
    assert peak < 12 * MIB
