"""The reader of headers, from its source and compiled: every test runs twice."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from moldau.protocol.records.scan import scan_records
from moldau.protocol.records.scan_headers import HeaderRow
from tests.protocol.records.drawn_records import PLAIN_RECORDS
from tests.protocol.records.hot_both_ways import PLAIN_AND_COMPILED, load
from tests.protocol.records.plain_block import PlainRecord, write_plain_block


@pytest.fixture(params=PLAIN_AND_COMPILED)
def scan_headers(request: pytest.FixtureRequest) -> Any:
    return load(request.param, "scan_headers")


def headers_found(scan_headers: Any, records: list[PlainRecord]) -> list[tuple[bytes, Any]]:
    block = write_plain_block(records)
    packed = scan_headers.scan_headers(block, scan_records(block, len(records)))
    assert len(packed) % scan_headers.HEADER_ROW_SIZE == 0
    numbers = memoryview(packed).cast("q").tolist()
    rows = [HeaderRow(*numbers[index : index + 4]) for index in range(0, len(numbers), 4)]
    return [
        (
            block[row.key_start :][: row.key_length],
            None if row.value_length < 0 else block[row.value_start :][: row.value_length],
        )
        for row in rows
    ]


def test_headers_come_in_the_order_of_their_records(scan_headers: Any) -> None:
    records = [
        PlainRecord(headers=((b"first", b"1"), (b"", b""))),
        PlainRecord(),
        PlainRecord(headers=((b"null", None), (b"long" * 50, b"v" * 300))),
    ]
    found = headers_found(scan_headers, records)
    assert found == [header for record in records for header in record.headers]


def test_no_records_have_no_headers(scan_headers: Any) -> None:
    assert scan_headers.scan_headers(b"", b"") == b""


@pytest.mark.parametrize("way", PLAIN_AND_COMPILED)
@given(records=PLAIN_RECORDS)
def test_whatever_headers_there_are_they_are_found(way: str, records: list[PlainRecord]) -> None:
    expected = [header for record in records for header in record.headers]
    assert headers_found(load(way, "scan_headers"), records) == expected
