"""Zstandard frames: several of them, skippable ones, and windows that are too large."""

from __future__ import annotations

import pytest

from moldau.errors import CorruptRecordError
from moldau.protocol.records.compression import Codec, compress, decompress

FRAME = compress(Codec.ZSTD, b"one frame " * 100)
SKIPPABLE = bytes.fromhex("50 2a 4d 18 05 00 00 00") + b"hello"
ONE_BYTE_RAW_BLOCK = bytes.fromhex("09 00 00") + b"x"


def frame_with_window_log(window_log: int) -> bytes:
    descriptor, window = 0, window_log - 10 << 3
    return FRAME[:4] + bytes((descriptor, window)) + ONE_BYTE_RAW_BLOCK


def test_frames_that_follow_one_another_are_joined() -> None:
    assert decompress(Codec.ZSTD, FRAME * 3) == b"one frame " * 300


def test_skippable_frames_are_skipped() -> None:
    assert decompress(Codec.ZSTD, SKIPPABLE + FRAME + SKIPPABLE) == b"one frame " * 100


def test_a_window_above_128_mib_is_refused() -> None:
    assert decompress(Codec.ZSTD, frame_with_window_log(27)) == b"x"
    with pytest.raises(CorruptRecordError, match="window above"):
        decompress(Codec.ZSTD, frame_with_window_log(28))


@pytest.mark.parametrize("size", range(1, len(FRAME)))
def test_a_frame_cut_off_is_refused(size: int) -> None:
    with pytest.raises(CorruptRecordError, match="cut off"):
        decompress(Codec.ZSTD, FRAME[:size])


@pytest.mark.parametrize("tail", [b"\x00", b"garbage", FRAME[:10]])
def test_what_follows_the_last_frame_must_be_a_frame(tail: bytes) -> None:
    with pytest.raises(CorruptRecordError, match=f"frame at byte {len(FRAME)} of"):
        decompress(Codec.ZSTD, FRAME + tail)
