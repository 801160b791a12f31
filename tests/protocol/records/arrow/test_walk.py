"""The NumPy walk finds what the scanner finds, or leaves the block to it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given

from moldau.errors import CorruptRecordError
from moldau.protocol.records.arrow import walk
from moldau.protocol.records.arrow.walk import scan_block, walk_block
from moldau.protocol.records.scan import scan_records
from tests.protocol.records.drawn_records import PLAIN_RECORDS, damaged_block
from tests.protocol.records.plain_block import PlainRecord, write_plain_block

MANY = [PlainRecord(index * 40, index, b"key", b"v" * (index % 200)) for index in range(500)]


@given(PLAIN_RECORDS)
def test_it_finds_the_same_rows(records: list[PlainRecord]) -> None:
    block = write_plain_block(records)
    assert walk_block(block, len(records)) == scan_records(block, len(records))


def test_it_finds_the_same_rows_in_a_long_block() -> None:
    block = write_plain_block(MANY)
    assert walk_block(block, len(MANY)) == scan_records(block, len(MANY))


def test_it_takes_nothing_that_the_scanner_refuses(
    seed: int, volume: Callable[[int, int], int]
) -> None:
    random = Random(seed)
    refused = 0
    for _ in range(volume(3_000, 60_000)):
        block, count = damaged_block(random)
        try:
            expected = scan_records(block, count)
        except CorruptRecordError:
            expected = None
            refused += 1
        assert walk_block(block, count) in (None, expected), (block, count)
    assert refused


def test_a_negative_length_is_not_taken_for_a_length() -> None:
    block = bytearray(write_plain_block([PlainRecord(value=b"v")] * 2))
    block[0] |= 1  # from 8 to -9, in zig-zag
    assert walk_block(bytes(block), 2) is None


@pytest.mark.parametrize("compiled", [True, False])
def test_a_block_is_scanned_either_way(monkeypatch: pytest.MonkeyPatch, compiled: bool) -> None:
    monkeypatch.setattr(walk, "SCANNER_IS_COMPILED", compiled)
    block = write_plain_block(MANY)
    assert b"".join(scan_block(block, len(MANY))) == scan_records(block, len(MANY))


def test_the_plain_scanner_says_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "SCANNER_IS_COMPILED", False)
    with pytest.raises(CorruptRecordError, match="left over after the last record"):
        list(scan_block(write_plain_block(MANY), len(MANY) - 1))


def test_a_count_beyond_the_block_is_refused_before_memory_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(walk, "SCANNER_IS_COMPILED", False)
    with pytest.raises(CorruptRecordError, match="claims 2147483647 records"):
        list(scan_block(write_plain_block(MANY), 2**31 - 1))
