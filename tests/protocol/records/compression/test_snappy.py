"""Snappy in xerial's framing, and raw."""

from __future__ import annotations

import cramjam
import pytest

from moldau.errors import CorruptRecordError
from moldau.protocol.records.compression import Codec, compress, decompress

HEADER = bytes.fromhex("82 53 4e 41 50 50 59 00 00 00 00 01 00 00 00 01")
DATA = bytes(range(256)) * 400
FRAMED = compress(Codec.SNAPPY, DATA)
RAW = bytes(cramjam.snappy.compress_raw(DATA))


def test_blocks_of_32_kib_follow_the_header() -> None:
    first = int.from_bytes(FRAMED[16:20])
    assert FRAMED.startswith(HEADER)
    assert cramjam.snappy.decompress_raw_len(FRAMED[20 : 20 + first]) == 32 * 1024


def test_a_raw_block_is_read() -> None:
    assert decompress(Codec.SNAPPY, RAW) == DATA


def test_a_header_may_stand_between_blocks() -> None:
    assert decompress(Codec.SNAPPY, FRAMED * 2) == DATA * 2


def test_a_tail_too_short_for_a_length_is_ignored() -> None:
    assert decompress(Codec.SNAPPY, FRAMED + bytes(3)) == DATA


def test_a_raw_block_must_end_where_its_data_ends() -> None:
    with pytest.raises(CorruptRecordError, match="damaged"):
        decompress(Codec.SNAPPY, RAW + b"x")


@pytest.mark.parametrize("length", [-1, -(2**31), len(FRAMED), 2**31 - 1])
def test_a_block_longer_than_the_data_is_refused(length: int) -> None:
    lying = HEADER + length.to_bytes(4, signed=True) + FRAMED[20:]
    with pytest.raises(CorruptRecordError, match="claims"):
        decompress(Codec.SNAPPY, lying)


def test_a_claim_beyond_what_snappy_can_do_is_refused() -> None:
    claim_of_2_gib = b"\xff\xff\xff\xff\x07" + bytes(1000)
    with pytest.raises(CorruptRecordError, match="claims to hold 2147483647"):
        decompress(Codec.SNAPPY, claim_of_2_gib)


def test_a_header_cut_off_is_refused() -> None:
    with pytest.raises(CorruptRecordError, match="header"):
        decompress(Codec.SNAPPY, HEADER[:12])
