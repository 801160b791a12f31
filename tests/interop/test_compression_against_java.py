"""Kafka's Java client reads what we compress, we read what it does, and both refuse the same.

We are stricter than Java in two places where no client writes what is refused: header flags that
gzip reserves, and a second gzip member or zstd frame that is cut off.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import lz4.frame
import pytest

from moldau.errors import CorruptRecordError
from moldau.protocol.records.compression import CODECS, Codec, compress, decompress
from tests.judges.java_compression import Answer, Question, ask_java

pytestmark = pytest.mark.judge

COMPRESSING = [codec for codec in Codec if codec is not Codec.NONE]
TEXT = b"".join(b'{"id":%d,"page":"/home/%d"}' % (index, index % 9) for index in range(60))
LARGE = TEXT * 200
LEVELS = {
    Codec.GZIP: (-1, 1, 9),
    Codec.SNAPPY: (0,),
    Codec.LZ4: (1, 9, 10, 17),
    Codec.ZSTD: (-131072, -5, 3, 19),
}
DATA = {"nothing": b"", "one byte": b"x", "text": TEXT, "large": LARGE, "zeros": bytes(100_000)}
TAILS = (b"\x00", bytes(3), bytes(4), bytes(12), b"garbage", b"\x1f\x8b", b"\x1f\x8b\x08")
LZ4_FRAMES: tuple[dict[str, Any], ...] = (
    {},
    {"block_linked": False},
    {"block_linked": False, "block_checksum": True},
    {"block_linked": False, "content_checksum": True},
    {"block_linked": False, "store_size": False, "block_size": 6},
)


def test_java_reads_what_we_compress_at_every_level(kafka_libs: Path) -> None:
    cases = [(codec, level, data) for codec in COMPRESSING
             for level in LEVELS[codec] for data in DATA.values()]  # fmt: skip
    answers = ask_java(
        kafka_libs,
        [Question(False, codec, compress(codec, data, level)) for codec, level, data in cases],
    )
    for (codec, level, data), answer in zip(cases, answers, strict=True):
        assert answer.data == data, (codec, level, answer.error)


def test_we_read_what_java_compresses_at_every_level(kafka_libs: Path) -> None:
    cases = [(codec, level, data) for codec in COMPRESSING
             for level in LEVELS[codec] for data in DATA.values()]  # fmt: skip
    answers = ask_java(
        kafka_libs, [Question(True, codec, data, level) for codec, level, data in cases]
    )
    for (codec, level, data), answer in zip(cases, answers, strict=True):
        assert answer.data is not None, answer.error
        assert decompress(codec, answer.data) == data, (codec, level)


def test_both_make_the_same_of_damaged_blocks(
    kafka_libs: Path, seed: int, volume: Callable[[int, int], int]
) -> None:
    random = Random(seed)
    questions = [
        question
        for codec in COMPRESSING
        for question in damaged(random, codec, compress(codec, TEXT), volume(300, 5_000))
    ]
    assert_same_verdicts(questions, ask_java(kafka_libs, questions))


def test_both_make_the_same_of_every_lz4_frame_flag(kafka_libs: Path) -> None:
    questions = []
    for options in LZ4_FRAMES:
        frame = lz4.frame.compress(TEXT, **options)
        header_end = 6 if options.get("store_size") is False else 14
        wrong_header = frame[:header_end] + b"?" + frame[header_end + 1 :]
        questions += [Question(False, Codec.LZ4, frame[:size]) for size in range(len(frame))]
        questions += [Question(False, Codec.LZ4, wrong_header, magic=magic) for magic in (0, 1, 2)]
        questions += [Question(False, Codec.LZ4, flipped(frame, at)) for at in range(len(frame))]
    assert_same_verdicts(questions, ask_java(kafka_libs, questions))


def damaged(random: Random, codec: Codec, whole: bytes, flips: int) -> list[Question]:
    blocks = [whole + tail for tail in TAILS] + [whole + whole]
    blocks += [whole[:size] for size in range(len(whole))]
    blocks += [random.randbytes(random.randrange(50)) for _ in range(100)]
    blocks += [flipped(whole, random.randrange(len(whole)), random) for _ in range(flips)]
    return [Question(False, codec, block) for block in blocks]


def flipped(data: bytes, position: int, random: Random | None = None) -> bytes:
    bit = 1 << random.randrange(8) if random else 1
    return data[:position] + bytes((data[position] ^ bit,)) + data[position + 1 :]


def assert_same_verdicts(questions: list[Question], answers: list[Answer]) -> None:
    agreed = [answer.data for answer in answers if answer.data is not None]
    assert 0 < len(agreed) < len(answers)
    for question, answer in zip(questions, answers, strict=True):
        ours = verdict(question)
        if ours is None and has_reserved_gzip_flags(question):
            continue
        assert ours == answer.data, (CODECS[Codec(question.codec)].name, question, answer.error)


def verdict(question: Question) -> bytes | None:
    try:
        return decompress(question.codec, question.data, magic=question.magic)
    except CorruptRecordError:
        return None


def has_reserved_gzip_flags(question: Question) -> bool:
    return question.codec == Codec.GZIP and len(question.data) > 3 and question.data[3] >= 0x20
