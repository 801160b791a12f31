"""XXH3 beside hashes that the reference program gave, one for each way through it."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.xxh3 import xxh3_64

KNOWN = (
    (0, 0x2D06800538D394C2),
    (1, 0x13E608BC156DEFED),
    (3, 0xA9088DDA485B481C),
    (4, 0x6D9253B16C8B1ED3),
    (8, 0x60539DB630471163),
    (9, 0xFEFF668361D723A8),
    (16, 0xB8C859B0F030B585),
    (17, 0x714A04408E79B80F),
    (64, 0x287EB1FA9E4BE2C1),
    (128, 0x67425A03650261BF),
    (129, 0xC664BF3311C6ABC4),
    (240, 0x64556DC6B462A6CF),
    (241, 0x8BEADD3A8874FE17),
    (1024, 0x9B81661C641C72B1),
    (1025, 0x806C2072ED713576),
    (1089, 0x2A90437FE231E7E8),
    (3000, 0xC89178BB873C6B3D),
)


def data(length: int) -> bytes:
    return bytes((7 * index + 3) % 256 for index in range(length))


@pytest.mark.parametrize(("length", "expected"), KNOWN)
def test_each_way_through_gives_the_reference_hash(length, expected):
    assert xxh3_64(data(length)) == expected


def test_a_view_is_hashed_as_its_bytes_are():
    assert xxh3_64(memoryview(data(300))) == xxh3_64(data(300))
