"""The charges for memory, against CPython's own figures."""

from __future__ import annotations

import sys

from moldau.protocol.wire.weight import (
    FREE,
    LARGE,
    PER_BYTE,
    PER_BYTE_BEYOND,
    PRIMITIVE_BYTES,
    SLOT_BYTES,
    STRUCT_BYTES,
    TAG_BYTES,
    allowance,
    weigh,
)
from tests.protocol.wire.samples import Row


def rounded(size: int) -> int:
    """CPython hands out memory in steps of 16 bytes."""
    return -(-size // 16) * 16


def test_charges_cover_what_the_objects_take():
    assert PRIMITIVE_BYTES["int64"] >= rounded(sys.getsizeof(2**62))
    assert PRIMITIVE_BYTES["uuid"] >= rounded(sys.getsizeof(bytes(16)))
    assert PRIMITIVE_BYTES["records"] >= rounded(sys.getsizeof(memoryview(b"")))
    assert PRIMITIVE_BYTES["array"] >= rounded(sys.getsizeof([]))
    assert rounded(sys.getsizeof((1, b""))) + 32 + rounded(sys.getsizeof(b"x")) <= TAG_BYTES


def test_a_struct_costs_its_slots_and_what_holds_them():
    cell = Row.Cell(left=1)
    assert sys.getsizeof(cell) <= STRUCT_BYTES + 2 * SLOT_BYTES


def test_the_allowance_stays_within_one_mebibyte():
    assert FREE < 1024 * 1024
    assert allowance(0, PER_BYTE) == FREE


def test_a_large_frame_buys_less_with_each_further_byte():
    small, more = allowance(LARGE, PER_BYTE), allowance(LARGE + 1000, PER_BYTE)
    assert small == FREE + PER_BYTE * LARGE
    assert more - small == 1000 * PER_BYTE_BEYOND
    assert allowance(2 * LARGE, 4) == FREE + 4 * 2 * LARGE


def test_small_numbers_and_defaults_weigh_nothing():
    assert weigh(Row.Cell(left=7), with_elements=True) == weigh(
        Row.Cell(left=-1), with_elements=True
    )
    heavy = weigh(Row.Cell(left=1_000), with_elements=True)
    assert heavy - weigh(Row.Cell(left=7), with_elements=True) == 32
