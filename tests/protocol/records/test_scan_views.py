"""The scanner that writes Arrow's layout, from its source and compiled: the rows say the same."""

from __future__ import annotations

import struct
from random import Random
from typing import Any

import pytest
from hypothesis import given
from librt.strings import BytesWriter

from moldau.errors import CorruptRecordError
from moldau.protocol.records.scan import read_rows, scan_records
from tests.protocol.records.drawn_records import PLAIN_RECORDS, damaged_block
from tests.protocol.records.hot_both_ways import PLAIN_AND_COMPILED, load
from tests.protocol.records.plain_block import PlainRecord, write_plain_block

BASE_OFFSET, BASE_TIMESTAMP = 1 << 40, 1_700_000_000_000
SOURCE, BASE = 1, 1_000
COLUMNS = ("keys", "values", "nulls", "offsets", "timestamps")


@pytest.fixture(params=PLAIN_AND_COMPILED)
def scan_views(request: pytest.FixtureRequest) -> Any:
    return load(request.param, "scan_views")


def scanned(scan_views: Any, block: bytes, count: int, own_times: bool = True) -> list[bytes]:
    """The five columns, or nothing where a record is not plain."""
    columns = scan_views.PlainColumns()
    place = scan_views.Place(block, len(block), SOURCE, BASE, BASE_OFFSET, BASE_TIMESTAMP)
    end = scan_views.scan_plain(columns, place, count, 0, own_times)
    if end != len(block):
        return []
    writers: list[BytesWriter] = [getattr(columns, name) for name in COLUMNS]
    return [writer.getvalue() for writer in writers]


def expected(block: bytes, count: int) -> list[bytes]:
    """The same by way of rows; nothing where they do not come to be, or are not plain."""
    try:
        rows = list(read_rows(scan_records(block, count)))
    except CorruptRecordError:
        return []
    if any(row.header_count or abs(row.timestamp_delta) >= 2**62 for row in rows):
        return []
    return [
        b"".join(view(block, row.key_start, row.key_length) for row in rows),
        b"".join(view(block, row.value_start, row.value_length) for row in rows),
        bytes((row.key_length < 0) + 2 * (row.value_length < 0) for row in rows),
        b"".join(struct.pack("<q", BASE_OFFSET + row.offset_delta) for row in rows),
        b"".join(struct.pack("<q", BASE_TIMESTAMP + row.timestamp_delta) for row in rows),
    ]


def view(block: bytes, start: int, length: int) -> bytes:
    part = block[start : start + max(length, 0)]
    if len(part) > 12:
        return struct.pack("<i4sii", length, part, SOURCE, BASE + start)
    return struct.pack("<i12s", len(part), part)


@pytest.mark.parametrize("octet", [b"\x01", b"\xff"])
def test_parts_of_every_length_become_views(scan_views: Any, octet: bytes) -> None:
    records = [PlainRecord(size, size, octet * size, octet * (size + 7)) for size in range(20)]
    records += [PlainRecord(-300, 0, None, b""), PlainRecord(2**40, 9_000, b"", None)]
    records += [PlainRecord(0, 0, None, octet * size) for size in (63, 64, 9_000, 5)]
    block = write_plain_block(records)
    assert scanned(scan_views, block, len(records)) == expected(block, len(records)) != []


@given(PLAIN_RECORDS)
def test_both_ways_scan_any_records_as_the_rows_say(records: list[PlainRecord]) -> None:
    plain = [record._replace(headers=()) for record in records]
    for some in (records, plain):
        block = write_plain_block(some)
        for way in PLAIN_AND_COMPILED:
            found = scanned(load(way, "scan_views"), block, len(some))
            assert found == expected(block, len(some))


def test_damaged_blocks_are_plain_only_where_the_rows_are(scan_views: Any, seed: int) -> None:
    random = Random(seed)
    plain = 0
    for _ in range(3_000):
        block, count = damaged_block(random)
        found = scanned(scan_views, block, max(count, 0))
        assert found == expected(block, max(count, 0))
        plain += bool(found)
    assert plain


def test_with_log_append_time_all_records_have_one_time(scan_views: Any) -> None:
    block = write_plain_block([PlainRecord(index, index, b"k", b"v") for index in range(3)])
    *_, timestamps = scanned(scan_views, block, 3, own_times=False)
    assert timestamps == struct.pack("<3q", *[BASE_TIMESTAMP] * 3)


@pytest.mark.parametrize(
    "record",
    [
        PlainRecord(headers=((b"name", b"value"),)),
        PlainRecord(timestamp_delta=2**62),
        PlainRecord(timestamp_delta=-(2**62)),
    ],
)
def test_what_is_not_plain_is_left_to_the_rows(scan_views: Any, record: PlainRecord) -> None:
    assert scanned(scan_views, write_plain_block([record]), 1) == []
