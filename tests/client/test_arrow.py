"""Chunks as Arrow record batches."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from moldau.client.arrow import COLUMNS, UNFOLDED_BYTES_MAX, ChunkDecoder, schema_of
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.errors import UnknownColumnError
from moldau.client.topic_partition import TopicPartition
from moldau.errors import CorruptRecordError
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.record import Header
from tests.client.batches import TIME_MS, data_batch, marker

ROOT = Path(__file__).parents[2]


def chunk(records: bytes, start: int = 0, end: int = 1000, *void: int) -> Chunk:
    return Chunk(TopicPartition("t", 7), memoryview(records), start, end, frozenset(void))


def batches(what: Chunk, *columns: str, check_checksums: bool = True) -> list[pa.RecordBatch]:
    return list(ChunkDecoder(columns, check_checksums=check_checksums).decode(what))


def decoded(what: Chunk, *columns: str) -> pa.RecordBatch:
    (batch,) = batches(what, *(columns or COLUMNS))
    return batch


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


@pytest.mark.parametrize("count", [0, 1, 5])
def test_the_constant_columns_are_sound_for_any_count(count):
    found = batches(chunk(data_batch(0, 6), 0, count), *COLUMNS)
    assert sum(batch.num_rows for batch in found) == count
    for batch in found:
        batch.validate(full=True)
        assert batch.column("topic").to_pylist() == ["t"] * count
        assert batch.column("partition").to_pylist() == [7] * count


def test_reading_does_not_import_pandas():
    program = (
        "import sys\n"
        "from tests.client.test_arrow import COLUMNS, batches, chunk, data_batch\n"
        "assert batches(chunk(data_batch(0)), *COLUMNS)\n"
        "sys.exit('pandas' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env={"PYTHONPATH": "src"})
    assert run.returncode == 0


def test_columns_come_in_the_order_of_the_question():
    assert decoded(chunk(data_batch(0)), "offset", "key").schema == schema_of(("offset", "key"))


def test_without_columns_the_records_are_still_counted():
    assert batches(chunk(data_batch(0)))[0].num_rows == 3


def test_what_lies_before_the_start_and_beyond_the_end_is_cut_off():
    records = data_batch(0) + data_batch(3) + data_batch(6)
    assert decoded(chunk(records, 2, 7), "offset").column(0).to_pylist() == [2, 3, 4, 5, 6]


def test_void_batches_and_markers_are_left_out():
    records = data_batch(0) + marker(3, 7, is_commit=True) + data_batch(4)
    assert decoded(chunk(records, 0, 1000, 0), "offset").column(0).to_pylist() == [4, 5, 6]


@pytest.mark.parametrize("records", [b"", data_batch(0)[:-1], marker(3, 7, is_commit=True)])
def test_where_nothing_is_wanted_there_is_no_batch(records):
    assert batches(chunk(records), *COLUMNS) == []


def test_headers_and_nulls_arrive():
    builder = BatchBuilder()
    builder.append(TIME_MS, None, None, (Header("a", b"1"), Header("a", None)))
    (row,) = decoded(chunk(bytes(builder.build()))).to_pylist()
    assert (row["key"], row["value"]) == (None, None)
    assert row["headers"] == [{"key": "a", "value": b"1"}, {"key": "a", "value": None}]


def test_a_batch_that_fails_its_checksum_is_refused_where_checksums_are_checked():
    broken = bytearray(data_batch(0))
    broken[-2] ^= 1
    with pytest.raises(
        CorruptRecordError, match=r"t-7 cannot be read from offset 0 on: .*checksum.*seek to 3"
    ):
        decoded(chunk(bytes(broken)))
    (batch,) = batches(chunk(bytes(broken)), "offset", check_checksums=False)
    assert batch.num_rows == 3


def test_what_comes_before_a_broken_batch_is_still_read():
    broken = bytearray(data_batch(0) + data_batch(3) + data_batch(6))
    broken[-2] ^= 1
    decoding = ChunkDecoder(("offset",), check_checksums=True).decode(chunk(bytes(broken)))
    assert next(decoding).column(0).to_pylist()[:3] == [0, 1, 2]
    with pytest.raises(CorruptRecordError, match="offset 6"):
        list(decoding)


def test_what_unfolds_to_very_much_comes_in_several_batches():
    builder = BatchBuilder(BatchFields(codec=Codec.ZSTD))
    for _ in range(2):
        builder.append(TIME_MS, None, bytes(6 * 1024 * 1024))
    dense = bytes(builder.build())
    count = UNFOLDED_BYTES_MAX // (12 * 1024 * 1024) + 2
    found = batches(chunk(dense * count), "value")
    assert len(found) > 1
    assert sum(batch.num_rows for batch in found) == 2 * count


def test_very_many_records_come_in_several_batches(monkeypatch):
    monkeypatch.setattr("moldau.client.arrow.ROWS_MAX", 4)
    found = batches(chunk(data_batch(0, 10), 1, 10), "offset", "topic")
    assert [batch.column(0).to_pylist() for batch in found] == [[1, 2, 3, 4], [5, 6, 7, 8], [9]]


def test_a_column_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(UnknownColumnError, match="no column 'colour': choose from key, value"):
        ChunkDecoder(("key", "colour"), check_checksums=True)
