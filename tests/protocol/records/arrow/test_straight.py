"""The straight way finds the columns that the way over rows finds, or leaves them to it."""

from __future__ import annotations

import pyarrow as pa
import pytest

from moldau.protocol.records.arrow import read_batches
from moldau.protocol.records.arrow.blocks import read_blocks
from moldau.protocol.records.arrow.runs import RUN_RECORDS
from moldau.protocol.records.arrow.schema import EXTRA_COLUMNS, SCHEMA
from moldau.protocol.records.arrow.straight import read_straight
from moldau.protocol.records.batch import read_whole_header, set_checksum, write_header
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec

KEYS = (b"short", None, b"", b"a key that is longer than twelve bytes")
VALUES = (b"a value that is longer than twelve bytes", b"twelve bytes", None)


def a_batch(count: int = 30, **fields: object) -> bytes:
    builder = BatchBuilder(BatchFields(**fields))  # type: ignore[arg-type]
    for index in range(count):
        builder.append(100 + 7 * index, KEYS[index % 4], VALUES[index % 3])
    return bytes(builder.build())


def straight(buffer: bytes | memoryview | bytearray) -> pa.RecordBatch | None:
    arrays = read_straight(read_blocks(buffer, None, True, 1 << 24))
    return None if arrays is None else pa.record_batch(arrays, schema=SCHEMA)


def over_rows(buffer: bytes | memoryview | bytearray) -> pa.RecordBatch:
    """Extra columns are for the other way alone."""
    return read_batches(buffer, extra_columns=EXTRA_COLUMNS).select(SCHEMA.names)


@pytest.mark.parametrize(
    "buffer",
    [
        b"",
        a_batch(),
        memoryview(b"....." + a_batch())[5:],
        bytearray(a_batch()),
        a_batch(base_offset=1 << 40) + a_batch(log_append_time=7_000) + a_batch(codec=Codec.LZ4),
        a_batch(codec=Codec.GZIP) + a_batch() + a_batch(codec=Codec.ZSTD),
        a_batch(RUN_RECORDS + 9) + a_batch(),
    ],
)
def test_both_ways_find_the_same_columns(buffer: bytes | memoryview | bytearray) -> None:
    columns = straight(buffer)
    assert columns is not None
    columns.validate(full=True)
    assert columns.equals(over_rows(buffer))


def test_one_record_with_headers_sends_all_the_other_way() -> None:
    builder = BatchBuilder()
    builder.append(1, None, b"value", [("name", b"1")])
    assert straight(a_batch() + bytes(builder.build())) is None


@pytest.mark.parametrize(
    "change",
    [{"base_offset": 2**62}, {"base_timestamp": -(2**62)}, {"record_count": 29}],
)
def test_what_is_far_or_unsound_goes_the_other_way(change: dict[str, int]) -> None:
    batch = bytearray(a_batch())
    write_header(batch, read_whole_header(batch).replaced(**change))
    set_checksum(batch, len(batch))
    assert straight(batch) is None
