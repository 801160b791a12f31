"""MessagePack as its reference implementation in Python writes it, and as nothing else."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as some

from moldau.programs.console.values.messagepack import (
    DEPTH_MAX,
    NotMessagePackError,
    decoded,
    encoded,
)

WRITTEN = {
    # By msgpack 1.1.2, use_bin_type=True.
    "82a26964cd03e8a46e6f7465c0": {"id": 1000, "note": None},
    "93c3c2cb3ff8000000000000": [True, False, 1.5],
    "81a16e9400ffe0d0df": {"n": [0, -1, -32, -33]},
    "92cf00000001000000 00d3ffffffff7fffffff": [1 << 32, -(1 << 31) - 1],
    "81a162c403010203": {"b": "01 02 03"},
    "81a17ad907c3a4c3b6c3bc21": {"z": "äöü!"},
    "91d6ff65fbd3ad": [{"extension": -1, "data": "65 fb d3 ad"}],
    "80": {},
}
SHORTEST = (
    "82a26964cd03e8a46e6f7465c0",
    "93c3c2cb3ff8000000000000",
    "81a16e9400ffe0d0df",
    "92cf00000001000000 00d3ffffffff7fffffff",
    "80",
)
"""Without bytes and extensions, which JSON has not, and a head that is longer than it has to be."""


@pytest.mark.parametrize("written", WRITTEN)
def test_what_was_written_is_read(written):
    assert decoded(bytes.fromhex(written)) == WRITTEN[written]


@pytest.mark.parametrize("written", SHORTEST)
def test_what_is_written_is_as_the_reference_writes_it(written):
    assert encoded(WRITTEN[written]) == bytes.fromhex(written)


JSON_VALUES = some.recursive(
    some.none() | some.booleans() | some.integers(-(2**63), 2**64 - 1) | some.text()
    | some.floats(allow_nan=False),
    lambda one: some.lists(one) | some.dictionaries(some.text(), one),
    max_leaves=20,
)  # fmt: skip


@given(some.lists(JSON_VALUES))
def test_what_is_written_is_read_again(value):
    assert decoded(encoded(value)) == value


@pytest.mark.parametrize("size", [15, 16, 31, 32, 255, 256, 65535, 65536])
def test_each_size_has_its_head(size):
    for value in (["x" * size], [0] * size, {str(number): None for number in range(size)}):
        assert decoded(encoded(value)) == value


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1])
def test_a_number_of_more_than_64_bits_is_refused(number):
    with pytest.raises(ValueError, match="64 bits"):
        encoded([number])


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\x01", b"\xa2id", b"\x81\x01\x02", b"\x81\xa1a", b"\x80\x80", b"\xc1", b"\x91\xc1",
        b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff", b"\x91\xa1\xff",
        b"\x91" * (DEPTH_MAX + 2) + b"\x01",
    ],
)  # fmt: skip
def test_other_bytes_are_none(data):
    with pytest.raises(NotMessagePackError):
        decoded(data)


@given(some.binary(max_size=200))
def test_no_bytes_do_harm(data):
    try:
        found = decoded(data)
    except NotMessagePackError:
        return
    assert isinstance(found, dict | list)


def test_numbers_that_json_has_not_are_read():
    (found,) = decoded(b"\x91\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00")
    assert isinstance(found, float)
    assert math.isnan(found)
