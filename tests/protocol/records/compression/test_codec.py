"""What every codec promises: round trips, levels, steps, and one clear error for hostile bytes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.errors import CorruptRecordError
from moldau.protocol.records.batch import HEADER_SIZE, read_whole_header
from moldau.protocol.records.compression import (
    CODECS,
    Codec,
    compress,
    decompress,
    decompress_steps,
)
from tests.protocol.records.librdkafka_vectors import CODEC_NAMES, read_vector, vector_records
from tests.protocol.records.plain_block import write_plain_block

COMPRESSING = [codec for codec in Codec if codec is not Codec.NONE]
TEXT = b"".join(b'{"id":%d,"page":"/home"}' % number for number in range(9_000))
LEVELS = [
    (codec, level)
    for codec, codec_format in CODECS.items()
    for level in {codec_format.level_default, codec_format.level_min, codec_format.level_max}
]


@pytest.mark.parametrize(("codec", "level"), LEVELS)
def test_what_goes_in_comes_out_at_every_level(codec: Codec, level: int) -> None:
    assert decompress(codec, compress(codec, TEXT, level)) == TEXT


@pytest.mark.parametrize("codec", list(Codec))
@given(data=st.binary(max_size=2_000))
def test_any_bytes_come_out_as_they_went_in(codec: Codec, data: bytes) -> None:
    assert decompress(codec, memoryview(compress(codec, bytearray(data)))) == data


@pytest.mark.parametrize("codec", list(Codec))
def test_bytes_that_do_not_shrink_survive(codec: Codec) -> None:
    noise = Random(1).randbytes(200_000)
    assert decompress(codec, compress(codec, noise)) == noise


@pytest.mark.parametrize("codec", [Codec.GZIP, Codec.LZ4, Codec.ZSTD])
def test_a_higher_level_makes_smaller_blocks(codec: Codec) -> None:
    codec_format = CODECS[codec]
    low = compress(codec, TEXT, codec_format.level_min)
    assert len(compress(codec, TEXT, codec_format.level_max)) < len(low)


@pytest.mark.parametrize("codec", [Codec.GZIP, Codec.ZSTD])
def test_steps_are_as_small_as_the_caller_wants(codec: Codec) -> None:
    steps = list(decompress_steps(codec, compress(codec, TEXT), step_bytes=1_000))
    assert b"".join(steps) == TEXT
    assert max(map(len, steps)) <= 1_000


@pytest.mark.parametrize("codec", [Codec.SNAPPY, Codec.LZ4])
def test_blocks_come_one_by_one(codec: Codec) -> None:
    steps = list(decompress_steps(codec, compress(codec, TEXT)))
    assert b"".join(steps) == TEXT
    assert max(map(len, steps)) <= 64 * 1024


@pytest.mark.parametrize("codec", list(Codec))
def test_more_output_than_allowed_is_refused(codec: Codec) -> None:
    compressed = compress(codec, TEXT)
    assert decompress(codec, compressed, output_bytes_max=len(TEXT)) == TEXT
    with pytest.raises(CorruptRecordError, match="unfolds to more than"):
        decompress(codec, compressed, output_bytes_max=len(TEXT) - 1)


def test_an_unknown_codec_is_refused() -> None:
    with pytest.raises(CorruptRecordError, match="codec 7"):
        decompress(7, b"")


@pytest.mark.parametrize("codec", COMPRESSING)
def test_no_input_is_no_data(codec: Codec) -> None:
    if codec is Codec.ZSTD:
        assert decompress(codec, b"") == b""
    else:
        with pytest.raises(CorruptRecordError):
            decompress(codec, b"")


@pytest.mark.parametrize("codec", COMPRESSING)
def test_hostile_bytes_give_bytes_or_one_error(
    codec: Codec, seed: int, volume: Callable[[int, int], int]
) -> None:
    random = Random(f"{seed} {codec}")
    seeds = [compress(codec, TEXT[:size]) for size in (0, 1, 100, 3_000, 70_000)]
    refused = 0
    rounds = volume(2_000, 60_000)
    for _ in range(rounds):
        mutant = mutate(random, bytearray(random.choice(seeds)))
        try:
            assert len(decompress(codec, mutant, output_bytes_max=1 << 20)) <= 1 << 20
        except CorruptRecordError:
            refused += 1
    assert refused > rounds / 10


def mutate(random: Random, data: bytearray) -> bytearray:
    for _ in range(random.randint(1, 4)):
        position = random.randrange(min(len(data), random.choice((24, 1 << 20))) or 1)
        match random.randrange(5):
            case 0:
                data[position : position + 1] = random.randbytes(1)
            case 1:
                del data[position:]
            case 2:
                data[position:position] = random.randbytes(random.randrange(9))
            case 3:
                data[position : position + 4] = random.choice((b"\xff" * 4, bytes(4), b"\x7f" * 4))
            case _:
                data += data[: random.randrange(40)]
    return data


@pytest.mark.parametrize("codec_name", CODEC_NAMES)
@pytest.mark.parametrize("size", ["small", "large"])
def test_what_librdkafka_compressed_is_read(codec_name: str, size: str) -> None:
    batch = read_vector(codec_name, size)
    header = read_whole_header(batch)
    block = decompress(header.codec, memoryview(batch)[HEADER_SIZE : header.size])
    assert CODECS[Codec(header.codec)].name == codec_name
    assert block == write_plain_block(vector_records(size))
