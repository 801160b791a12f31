"""Chunks as Arrow record batches."""

from __future__ import annotations

import pyarrow as pa
import pytest

from moldau.client.arrow import COLUMNS, decode_chunk, schema_of
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.topic_partition import TopicPartition
from moldau.errors import CorruptRecordError
from moldau.records.builder import BatchBuilder
from moldau.records.record import Header
from tests.client.batches import TIME_MS, data_batch, marker


def chunk(records: bytes, start: int = 0, end: int = 1000, *void: int) -> Chunk:
    return Chunk(TopicPartition("t", 7), memoryview(records), start, end, frozenset(void))


def decoded(what: Chunk, *columns: str) -> pa.RecordBatch:
    return decode_chunk(what, columns or COLUMNS, check_checksums=True)


def test_all_columns_are_typed_as_in_sparks_source():
    batch = decoded(chunk(data_batch(0)))
    assert [(field.name, str(field.type)) for field in batch.schema] == [
        ("key", "binary"),
        ("value", "binary"),
        ("topic", "string"),
        ("partition", "int32"),
        ("offset", "int64"),
        ("timestamp", "timestamp[us, tz=UTC]"),
        ("timestampType", "int32"),
        ("headers", "list<item: struct<key: string, value: binary>>"),
    ]
    batch.validate(full=True)


def test_every_record_says_where_it_comes_from():
    batch = decoded(chunk(data_batch(5, 2)), "topic", "partition", "offset", "timestamp")
    assert batch.column("topic").to_pylist() == ["t", "t"]
    assert batch.column("partition").to_pylist() == [7, 7]
    assert batch.column("offset").to_pylist() == [5, 6]
    assert [time.value for time in batch.column("timestamp")] == [
        (TIME_MS + 5) * 1000,
        (TIME_MS + 6) * 1000,
    ]


def test_columns_come_in_the_order_of_the_question():
    assert decoded(chunk(data_batch(0)), "offset", "key").schema == schema_of(("offset", "key"))


def test_without_columns_the_records_are_still_counted():
    assert decode_chunk(chunk(data_batch(0)), (), check_checksums=True).num_rows == 3


def test_what_lies_before_the_start_and_beyond_the_end_is_cut_off():
    records = data_batch(0) + data_batch(3) + data_batch(6)
    assert decoded(chunk(records, 2, 7), "offset").column(0).to_pylist() == [2, 3, 4, 5, 6]


def test_void_batches_and_markers_are_left_out():
    records = data_batch(0) + marker(3, 7, is_commit=True) + data_batch(4)
    assert decoded(chunk(records, 0, 1000, 0), "offset").column(0).to_pylist() == [4, 5, 6]


def test_nothing_is_a_batch_of_no_rows():
    batch = decoded(chunk(b""))
    assert (batch.num_rows, batch.schema) == (0, schema_of(COLUMNS))


def test_headers_and_nulls_arrive():
    builder = BatchBuilder()
    builder.append(TIME_MS, None, None, (Header("a", b"1"), Header("a", None)))
    (row,) = decoded(chunk(bytes(builder.build()))).to_pylist()
    assert (row["key"], row["value"]) == (None, None)
    assert row["headers"] == [{"key": "a", "value": b"1"}, {"key": "a", "value": None}]


def test_a_batch_that_fails_its_checksum_is_refused_unless_nobody_looks():
    broken = bytearray(data_batch(0))
    broken[-2] ^= 1
    with pytest.raises(CorruptRecordError, match="checksum"):
        decoded(chunk(bytes(broken)))
    assert decode_chunk(chunk(bytes(broken)), ("offset",), check_checksums=False).num_rows == 3
