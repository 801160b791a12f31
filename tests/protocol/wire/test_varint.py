"""Variable-length numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.errors import DecodeError
from moldau.protocol.wire.varint import decode_uvarint, decode_varint, encode_uvarint, encode_varint


@pytest.mark.parametrize(
    ("number", "wire"),
    [(0, "00"), (127, "7f"), (128, "8001"), (300, "ac02"), (2**32 - 1, "ffffffff0f")],
)
def test_unsigned_numbers_lie_low_bits_first(number, wire):
    assert encode_uvarint(number).hex() == wire


@pytest.mark.parametrize(
    ("number", "wire"), [(0, "00"), (-1, "01"), (1, "02"), (-64, "7f"), (64, "8001")]
)
def test_signed_numbers_zig_zag(number, wire):
    assert encode_varint(number).hex() == wire


@given(st.integers(0, 2**32 - 1))
def test_unsigned_numbers_come_back(number):
    wire = encode_uvarint(number)
    assert decode_uvarint(b"." + wire + b".", 1) == (number, 1 + len(wire))


@given(st.integers(-(2**63), 2**63 - 1))
def test_signed_numbers_come_back(number):
    wire = encode_varint(number)
    assert decode_varint(wire, 0) == (number, len(wire))


def test_a_number_that_never_ends_is_refused():
    with pytest.raises(DecodeError, match="more than 5 bytes"):
        decode_uvarint(b"\x80" * 20, 0)
    with pytest.raises(DecodeError, match="more than 10 bytes"):
        decode_varint(b"\x80" * 20, 0)


def test_a_number_cut_off_runs_out_of_bytes():
    with pytest.raises(IndexError):
        decode_uvarint(b"\x80", 0)
