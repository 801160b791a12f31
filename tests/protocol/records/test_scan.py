"""The scanner, from its source and compiled: every test runs twice."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given

from moldau.errors import CorruptRecordError
from moldau.protocol.records.scan import ROW_SIZE, Row
from tests.protocol.records.drawn_records import PLAIN_RECORDS, damaged_block
from tests.protocol.records.hot_both_ways import load_compiled, load_plain
from tests.protocol.records.plain_block import PlainRecord, write_plain_block, zigzag_varint

RECORDS = [
    PlainRecord(0, 0, b"key", b"value"),
    PlainRecord(-5, 1, None, b"v" * 300, ((b"name", b"x"), (b"", None))),
    PlainRecord(2**40, 2, b"", None),
]
BLOCK = write_plain_block(RECORDS)


def rows_of(scan: Any, block: bytes, count: int) -> list[Row]:
    return [Row(*row) for row in scan.read_rows(scan.scan_records(block, count))]


def test_a_row_says_where_the_parts_of_its_record_lie(scan: Any) -> None:
    first, second, third = rows_of(scan, BLOCK, 3)
    assert BLOCK[first.key_start :][:3] == b"key"
    assert BLOCK[first.value_start :][: first.value_length] == b"value"
    assert (second.timestamp_delta, second.offset_delta) == (-5, 1)
    assert (second.key_length, second.value_length, second.header_count) == (-1, 300, 2)
    assert BLOCK[second.headers_start : second.end] == b"\x08name\x02x\x00\x01"
    assert (third.timestamp_delta, third.key_length, third.value_length) == (2**40, 0, -1)
    assert third.end == len(BLOCK)


def test_records_may_begin_behind_something_else(scan: Any) -> None:
    rows = scan.scan_records(b"header" + BLOCK, 3, 6)
    first = Row(*next(iter(scan.read_rows(rows))))
    assert first.key_start == rows_of(scan, BLOCK, 3)[0].key_start + 6


def test_a_block_cut_off_anywhere_is_refused(scan: Any) -> None:
    for size in range(len(BLOCK)):
        with pytest.raises(CorruptRecordError):
            scan.scan_records(BLOCK[:size], 3)


@pytest.mark.parametrize("count", [0, 2, 4])
def test_a_wrong_count_is_refused(scan: Any, count: int) -> None:
    with pytest.raises(CorruptRecordError):
        scan.scan_records(BLOCK, count)


@pytest.mark.parametrize("count", [-1, len(BLOCK) // 7 + 1, 2**31 - 1, 2**62])
def test_a_count_that_cannot_be_is_refused_before_memory_is_taken(scan: Any, count: int) -> None:
    with pytest.raises(CorruptRecordError, match=f"claims {count} records"):
        scan.scan_records(BLOCK, count)


@pytest.mark.parametrize("length", [-1, 7, 2**31 - 1])
def test_a_record_that_its_block_cannot_hold_is_refused(scan: Any, length: int) -> None:
    block = zigzag_varint(length) + bytes(6)
    with pytest.raises(CorruptRecordError, match=f"record claims {length} bytes, 6 are left"):
        scan.scan_records(block, 1)


def test_an_empty_block_has_no_rows(scan: Any) -> None:
    assert scan.scan_records(b"", 0) == b""
    assert list(scan.scan_in_steps(b"", 0)) == [b""]


@pytest.mark.parametrize("step", [1, 2, 3, 4])
def test_steps_join_to_the_whole(scan: Any, step: int) -> None:
    steps = list(scan.scan_in_steps(BLOCK, 3, 0, step))
    assert b"".join(steps) == scan.scan_records(BLOCK, 3)
    assert all(len(rows) <= step * ROW_SIZE for rows in steps)


def test_steps_notice_what_is_left_over(scan: Any) -> None:
    with pytest.raises(CorruptRecordError):
        list(scan.scan_in_steps(BLOCK, 2, 0, 1))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"\x00\x00\x00\x01\x01\x00\x00", "-1 bytes off"),
        (b"\x00\x00\x00\x01\x01\x01", "claims -1 headers"),
        (b"\x00\x00\x00\x01\x01\xfe\xff\xff\xff\x0f", "claims 2147483647 headers"),
        (b"\x00\x00\x00\x01\x01\x02\x01\x00", "without a key"),
        (b"\x00\x00\x00\x01\x01\x02\x7e\x00", "past the end"),
        (b"\x00\x00\x00\x7e\x01\x00", "past the end"),
        (b"\x00\x00\x80\x80\x80\x80\x80\x00\x01\x01\x00", "longer than 5"),
        (b"\x00" + b"\x80" * 10 + b"\x00\x00\x01\x01\x00", "longer than 10"),
    ],
    ids=range(8),
)
def test_a_record_that_contradicts_itself_is_refused(scan: Any, body: bytes, reason: str) -> None:
    with pytest.raises(CorruptRecordError, match=reason):
        scan.scan_records(zigzag_varint(len(body)) + body, 1)


def test_a_record_fills_exactly_its_length(scan: Any) -> None:
    block = bytearray(BLOCK)
    block[0] += 2  # one byte of the next record
    with pytest.raises(CorruptRecordError, match="-1 bytes off"):
        scan.scan_records(bytes(block), 3)


@pytest.mark.parametrize("number", [0, -1, 63, -64, 64, 2**31 - 1, -(2**31)])
def test_a_varint_is_read_back(scan: Any, number: int) -> None:
    data = zigzag_varint(number)
    assert scan.read_varint(b"x" + data, 1) == (number, 1 + len(data))


@pytest.mark.parametrize("number", [0, -1, 64, 2**31, 2**62, -(2**62), 2**63 - 1, -(2**63)])
def test_a_varlong_is_read_back(scan: Any, number: int) -> None:
    data = zigzag_varint(number)
    assert scan.read_varlong(b"x" + data, 1) == (number, 1 + len(data))


def test_bits_beyond_the_32nd_drop_out_as_in_kafka(scan: Any) -> None:
    assert scan.read_varint(b"\x82\x80\x80\x80\x70", 0) == (1, 5)


@given(PLAIN_RECORDS)
def test_both_ways_read_any_records_alike(records: list[PlainRecord]) -> None:
    block = write_plain_block(records)
    plain, compiled = load_plain("scan"), load_compiled("scan")
    rows = plain.scan_records(block, len(records))
    assert compiled.scan_records(block, len(records)) == rows
    for record, row in zip(records, map(Row._make, plain.read_rows(rows)), strict=True):
        assert (row.timestamp_delta, row.offset_delta) == record[:2]
        assert row.key_length == (-1 if record.key is None else len(record.key))
        assert row.header_count == len(record.headers)


def test_any_bytes_are_records_or_corrupt(
    scan: Any, seed: int, volume: Callable[[int, int], int]
) -> None:
    random = Random(seed)
    refused = 0
    for _ in range(volume(50_000, 1_000_000)):
        block, count = damaged_block(random)
        try:
            scan.scan_records(block, count)
        except CorruptRecordError:
            refused += 1
    assert refused


def test_both_ways_agree_on_damaged_bytes(seed: int, volume: Callable[[int, int], int]) -> None:
    random = Random(seed)
    plain, compiled = load_plain("scan"), load_compiled("scan")
    for _ in range(volume(10_000, 100_000)):
        block, count = damaged_block(random)
        assert outcome(plain, block, count) == outcome(compiled, block, count)


def test_the_latest_delta_is_that_of_rows_which_lie_in_order(
    scan: Any, seed: int, volume: Callable[[int, int], int]
) -> None:
    random = Random(seed)
    found = set()
    for _ in range(volume(5_000, 100_000)):
        block, count = damaged_block(random)
        try:
            latest = scan.latest_delta(block, count)
        except CorruptRecordError:
            latest = None
        assert latest == latest_by_rows(scan, block, count)
        found.add(latest)
    assert found >= {None, -1, 0, 70, 2**40}


def latest_by_rows(scan: Any, block: bytes, count: int) -> int | None:
    """None where they cannot be read, or one is not in its place."""
    try:
        rows = rows_of(scan, block, count)
    except CorruptRecordError:
        return None
    if any(row.offset_delta != index for index, row in enumerate(rows)):
        return None
    return max((row.timestamp_delta for row in rows), default=0)


def outcome(scan: Any, block: bytes, count: int) -> bytes | str:
    try:
        rows: bytes = scan.scan_records(block, count)
    except CorruptRecordError as error:
        return str(error)
    return rows


def test_many_records_with_headers_are_read_in_linear_time(scan: Any) -> None:
    """Quadratic work on these would run into the timeout of every test."""
    record = write_plain_block([PlainRecord(headers=((b"", None),) * 3)])
    assert len(scan.scan_records(record * 20_000, 20_000)) == 20_000 * ROW_SIZE
