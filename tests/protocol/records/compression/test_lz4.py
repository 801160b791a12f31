"""LZ4 frames as Kafka's clients write them, and the header that old ones wrote."""

from __future__ import annotations

import pytest

from moldau.errors import CorruptRecordError
from moldau.protocol.records.compression import Codec, compress, decompress
from moldau.protocol.records.compression.xxhash32 import xxhash32

DATA = b"0123456789abcdef" * 10_000
FRAME = compress(Codec.LZ4, DATA)
FIRST_BLOCK_BYTES = int.from_bytes(FRAME[7:11], "little")


def frame(flags: int, code: int = 0x40, extra: bytes = b"", body: bytes = bytes(4)) -> bytes:
    descriptor = bytes((flags, code)) + extra
    return FRAME[:4] + descriptor + bytes((xxhash32(descriptor) >> 8 & 0xFF,)) + body


def stored(data: bytes) -> bytes:
    return (len(data) | 1 << 31).to_bytes(4, "little") + data


def test_the_header_is_the_one_that_kafka_writes() -> None:
    assert FRAME[:7] == bytes.fromhex("04 22 4d 18 60 40 82")


def test_a_block_that_would_grow_is_stored() -> None:
    assert compress(Codec.LZ4, b"abc") == FRAME[:7] + stored(b"abc") + bytes(4)


def test_a_content_size_is_skipped() -> None:
    body = stored(b"abc") + bytes(4)
    assert decompress(Codec.LZ4, frame(0x68, extra=b"\xff" * 8, body=body)) == b"abc"


def test_a_content_checksum_must_be_there_but_is_not_judged() -> None:
    body = stored(b"abc") + bytes(4) + b"????"
    assert decompress(Codec.LZ4, frame(0x64, body=body)) == b"abc"
    with pytest.raises(CorruptRecordError, match="before the end of its frame"):
        decompress(Codec.LZ4, frame(0x64, body=body[:-1]))


def test_block_checksums_are_judged() -> None:
    good = xxhash32(b"abc").to_bytes(4, "little")
    assert decompress(Codec.LZ4, frame(0x70, body=stored(b"abc") + good + bytes(4))) == b"abc"
    with pytest.raises(CorruptRecordError, match="block fails its checksum"):
        decompress(Codec.LZ4, frame(0x70, body=stored(b"abd") + good + bytes(4)))


def test_only_format_0_may_have_a_wrong_header_checksum() -> None:
    wrong = FRAME[:6] + bytes((FRAME[6] ^ 1,)) + FRAME[7:]
    assert decompress(Codec.LZ4, wrong, magic=0) == DATA
    for magic in (1, 2):
        with pytest.raises(CorruptRecordError, match="header fails its checksum"):
            decompress(Codec.LZ4, wrong, magic=magic)


def test_what_follows_the_frame_is_ignored() -> None:
    assert decompress(Codec.LZ4, FRAME + FRAME) == DATA


@pytest.mark.parametrize("flags", [0x40, 0x61, 0x62, 0x20, 0xA0, 0xE0])
def test_linked_blocks_and_unknown_flags_are_refused(flags: int) -> None:
    with pytest.raises(CorruptRecordError, match="flags"):
        decompress(Codec.LZ4, frame(flags))


@pytest.mark.parametrize("code", [0x00, 0x30, 0x41, 0xC0])
def test_unknown_block_sizes_are_refused(code: int) -> None:
    with pytest.raises(CorruptRecordError, match="block size code"):
        decompress(Codec.LZ4, frame(0x60, code))


def test_a_block_larger_than_its_frame_says_is_refused() -> None:
    with pytest.raises(CorruptRecordError, match="65537 bytes"):
        decompress(Codec.LZ4, frame(0x60, body=stored(bytes(65_537)) + bytes(4)))


@pytest.mark.parametrize("size", [0, 5, 6, 7, 9, 11, 11 + FIRST_BLOCK_BYTES, len(FRAME) - 1])
def test_a_frame_cut_off_is_refused(size: int) -> None:
    with pytest.raises(CorruptRecordError, match="lz4 data ends"):
        decompress(Codec.LZ4, FRAME[:size])
