"""Records become a batch."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.errors import EncodeError
from moldau.protocol.records.batch import (
    HEADER_SIZE,
    BatchHeader,
    ensure_checksum,
    iterate_batches,
    read_whole_header,
)
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.record import Header, Record, iterate_records
from tests.protocol.records.captured import captured, sent_records

PARTS = st.none() | st.binary(max_size=300)
HEADERS = st.lists(st.builds(Header, st.text(max_size=9), PARTS), max_size=3).map(tuple)
TIMESTAMPS = st.integers(-1, 2**62)
RECORDS = st.lists(st.tuples(TIMESTAMPS, PARTS, PARTS, HEADERS), min_size=1, max_size=9)


def built(fields: BatchFields, records: list[Record]) -> bytes:
    builder = BatchBuilder(fields)
    for record in records:
        delta = record.offset - fields.base_offset
        builder.append(*record[1:5], offset_delta=delta)
    return bytes(builder.build())


@pytest.mark.parametrize("number", [0, 1])
def test_the_bytes_are_those_of_the_java_producer(number: int) -> None:
    theirs = [bytes(batch) for batch in iterate_batches(captured("codec-none"))][number]
    header = read_whole_header(theirs)
    fields = BatchFields(
        base_offset=4 * number,
        leader_epoch=0,
        producer_id=header.producer_id,
        producer_epoch=0,
        base_sequence=4 * number,
    )
    assert built(fields, sent_records(4 * number, 4 * number)) == theirs


@given(RECORDS, st.sampled_from(Codec), st.booleans())
def test_records_come_back_from_their_batch(
    parts: list[tuple[int, bytes | None, bytes | None, tuple[Header, ...]]],
    codec: Codec,
    is_transactional: bool,
) -> None:
    fields = BatchFields(
        codec, None, 40, 3, 7, 1, 2**31 - 3, is_transactional, log_append_time=None
    )
    records = [
        Record(40 + index, *part, (2**31 - 3 + index) % 2**31) for index, part in enumerate(parts)
    ]
    batch = built(fields, records)
    header = read_whole_header(batch)
    ensure_checksum(batch, header)
    assert list(iterate_records(batch)) == records
    assert header.max_timestamp == max(record.timestamp for record in records)
    assert (header.codec, header.is_transactional) == (codec, is_transactional)


def test_an_uncompressed_batch_is_as_large_as_its_builder_says() -> None:
    builder = BatchBuilder()
    assert builder.size == HEADER_SIZE
    for _ in range(3):
        builder.append(5, b"key", b"value", [("h", None)])
    assert builder.size == len(builder.build())
    assert repr(builder) == f"BatchBuilder(3 records, {builder.size} bytes before compression)"


def test_a_full_builder_has_no_room_and_never_grows_beyond_its_limit() -> None:
    builder = BatchBuilder()
    while builder.has_room(500, 1_000, b"key", b"value"):
        builder.append(1_000, b"key", b"value")
    one_more = builder.size - BatchBuilder().size
    assert 500 - one_more < builder.size <= 500
    assert len(builder.build()) == builder.size


def test_the_first_record_always_has_room() -> None:
    builder = BatchBuilder()
    assert builder.has_room(10, 0, None, b"v" * 100)
    builder.append(0, None, b"v" * 100)
    assert not builder.has_room(10, 0, None, b"")


def test_a_hopeful_ratio_makes_room() -> None:
    builder = BatchBuilder(BatchFields(codec=Codec.ZSTD))
    builder.append(0, None, b"v" * 400)
    assert not builder.has_room(500, 0, None, b"v" * 400)
    assert builder.has_room(500, 0, None, b"v" * 400, compression_ratio=0.25)


def test_log_append_time_is_in_the_header_alone() -> None:
    builder = BatchBuilder(BatchFields(log_append_time=9_999))
    builder.append(5, None, b"a")
    builder.append(7, None, b"b")
    batch = builder.build()
    assert [record.timestamp for record in iterate_records(batch)] == [9_999, 9_999]
    assert read_whole_header(batch).base_timestamp == 5


def test_a_producer_may_be_named_when_all_records_are_in() -> None:
    builder = BatchBuilder()
    builder.append(5, None, b"a")
    builder.set_producer(12, 3, 44)
    header = read_whole_header(builder.build())
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (12, 3, 44)


def test_compaction_leaves_gaps_and_keeps_the_end() -> None:
    builder = BatchBuilder(BatchFields(base_offset=100, delete_horizon_ms=77))
    assert builder.append(5, b"key", b"a", offset_delta=3) == 3
    assert builder.append(6, b"key", b"b") == 4
    header = read_whole_header(builder.build(last_offset_delta=9))
    assert (header.record_count, header.last_offset) == (2, 109)
    assert header.delete_horizon_ms == header.base_timestamp == 77


def test_a_batch_of_no_records_still_holds_its_offsets() -> None:
    builder = BatchBuilder(BatchFields(base_offset=100))
    batch = builder.build(last_offset_delta=9)
    header = read_whole_header(batch)
    assert isinstance(header, BatchHeader)
    assert (builder.record_count, header.record_count, header.last_offset) == (0, 0, 109)
    assert list(iterate_records(batch)) == []


@pytest.mark.parametrize("delta", [0, -1, 2**31])
def test_offsets_only_grow(delta: int) -> None:
    builder = BatchBuilder()
    builder.append(5, None, None)
    with pytest.raises(EncodeError, match="offset delta"):
        builder.append(5, None, None, offset_delta=delta)


@pytest.mark.parametrize("timestamps", [[2**63], [0, 2**63], [-(2**62), 2**62 + 2**62]])
def test_timestamps_beyond_64_bits_are_refused(timestamps: list[int]) -> None:
    with pytest.raises(EncodeError, match="64 bits"):
        append_all(BatchBuilder(), timestamps)


def append_all(builder: BatchBuilder, timestamps: list[int]) -> None:
    for timestamp in timestamps:
        builder.append(timestamp, None, None)
