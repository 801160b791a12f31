"""What is packed at once is what is packed one by one."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from moldau.protocol.records.arrow.columns import read_columns
from moldau.protocol.records.arrow.pack import pack, pack_blocks, pack_straight, payload_sizes
from tests.protocol.records.drawn_records import HEADERS, PART
from tests.protocol.records.plain_block import PlainRecord, write_plain_block

TIMESTAMPS = st.integers(-(2**62), 2**62)
RECORDS = st.lists(st.builds(PlainRecord, TIMESTAMPS, st.just(0), PART, PART, HEADERS), min_size=1)
HEADERS_TYPE = pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())]))


def table_of(records: list[PlainRecord]) -> pa.Table:
    headers = [
        [{"key": key.decode(), "value": value} for key, value in record.headers]
        for record in records
    ]
    return pa.table(
        {
            "key": pa.array([record.key for record in records], pa.binary()),
            "value": pa.array([record.value for record in records], pa.binary()),
            "timestamp": pa.array([record.timestamp_delta for record in records], pa.int64()),
            "headers": pa.array(headers, HEADERS_TYPE),
        }
    )


@given(RECORDS, st.integers(0, 100))
def test_two_batches_are_packed_behind_one_another(records: list[PlainRecord], cut: int) -> None:
    cut = cut % len(records)
    starts = [0, cut] if cut else [0]
    packed = pack(read_columns(table_of(records), 0), starts)
    expected = []
    for index, record in enumerate(records):
        start = cut if index >= cut else 0
        base = records[start].timestamp_delta
        delta = record.timestamp_delta - base
        expected.append(record._replace(timestamp_delta=delta, offset_delta=index - start))
    assert bytes(packed.data[: packed.offsets[-1]]) == write_plain_block(expected)
    first_of_last = packed.offsets[starts[-1]]
    assert first_of_last == len(write_plain_block(expected[: starts[-1]]))


@given(RECORDS, st.integers(0, 100))
def test_without_headers_both_ways_pack_the_same(records: list[PlainRecord], skip: int) -> None:
    table = table_of(records).drop_columns("headers")
    columns = read_columns(table, 0).part(skip % len(records), len(records))
    packed = pack(columns, [0])
    block = bytes(packed.data[: packed.offsets[-1]])
    assert pack_straight(columns) == block
    assert list(pack_blocks(columns, [(0, len(columns))])) == [block]


def test_columns_that_are_not_there_are_null() -> None:
    columns = read_columns(pa.table({"timestamp": [5, 7]}), 0)
    expected = [PlainRecord(0, 0, None, None), PlainRecord(2, 1, None, None)]
    assert pack_straight(columns) == write_plain_block(expected)


@given(RECORDS)
def test_a_payload_is_a_record_without_its_length_and_deltas(records: list[PlainRecord]) -> None:
    sizes = payload_sizes(read_columns(table_of(records), 0)).tolist()
    still = [record._replace(timestamp_delta=0) for record in records]
    for size, record in zip(sizes, still, strict=True):
        body = size + 2
        assert len(write_plain_block([record])) - body in (1, 2)
