"""CRC-32C against published vectors and a slow, obvious version."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.protocol.records.checksum import crc32c

REFLECTED_POLYNOMIAL = 0x82F63B78
RFC_3720_VECTORS = {
    bytes(32): 0x8A9136AA,
    b"\xff" * 32: 0x62A8AB43,
    bytes(range(32)): 0x46DD794E,
    bytes(reversed(range(32))): 0x113FDB5C,
    b"123456789": 0xE3069283,
    b"": 0,
}


def one_bit_at_a_time(data: bytes) -> int:
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ REFLECTED_POLYNOMIAL * (value & 1)
    return value ^ 0xFFFFFFFF


@pytest.mark.parametrize(("data", "expected"), RFC_3720_VECTORS.items())
def test_the_vectors_of_rfc_3720_hold(data: bytes, expected: int) -> None:
    assert crc32c(data) == expected


@given(st.binary(max_size=300))
def test_it_agrees_with_the_definition_bit_by_bit(data: bytes) -> None:
    assert crc32c(data) == one_bit_at_a_time(data)


@given(st.binary(max_size=2000), st.binary(max_size=2000))
def test_a_checksum_can_be_continued(first: bytes, second: bytes) -> None:
    assert crc32c(second, crc32c(first)) == crc32c(first + second)


@given(st.binary(min_size=8, max_size=500))
def test_every_kind_of_buffer_is_read_where_it_lies(data: bytes) -> None:
    expected = crc32c(data[3:])
    assert crc32c(bytearray(data[3:])) == expected
    assert crc32c(memoryview(data)[3:]) == expected
    assert crc32c(memoryview(bytearray(data))[3:]) == expected
