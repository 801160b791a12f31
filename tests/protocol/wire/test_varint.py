"""Variable-length numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.errors import DecodeError
from moldau.protocol.wire.varint import decode_uvarint, encode_uvarint


@pytest.mark.parametrize(
    ("number", "wire"),
    [(0, "00"), (127, "7f"), (128, "8001"), (300, "ac02"), (2**32 - 1, "ffffffff0f")],
)
def test_unsigned_numbers_lie_low_bits_first(number, wire):
    assert encode_uvarint(number).hex() == wire


@given(st.integers(0, 2**32 - 1))
def test_unsigned_numbers_come_back(number):
    wire = encode_uvarint(number)
    assert decode_uvarint(b"." + wire + b".", 1) == (number, 1 + len(wire))


def test_a_number_that_never_ends_is_refused():
    with pytest.raises(DecodeError, match="more than 5 bytes"):
        decode_uvarint(b"\x80" * 20, 0)


def test_a_number_cut_off_runs_out_of_bytes():
    with pytest.raises(IndexError):
        decode_uvarint(b"\x80", 0)
