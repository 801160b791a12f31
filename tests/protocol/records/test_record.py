"""Records inside a batch."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.errors import CorruptRecordError
from moldau.protocol.records.batch import (
    BatchHeader,
    ensure_checksum,
    iterate_batches,
    read_whole_header,
)
from moldau.protocol.records.builder import BatchBuilder, BatchFields, assemble_batch
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.record import Header, Record, iterate_records, sequence_at
from tests.protocol.records.captured import captured, sent_records
from tests.protocol.records.plain_block import PlainRecord, write_plain_block

CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]


def header_of(**fields: int) -> BatchHeader:
    plain = BatchHeader(0, 0, -1, 2, 0, 0, 0, 0, 0, -1, -1, -1, 1)
    return plain.replaced(**fields)


def one_record(header: BatchHeader, record: PlainRecord) -> Record:
    batch = assemble_batch(header, write_plain_block([record]))
    (found,) = iterate_records(batch)
    return found


@pytest.mark.parametrize("name", [*(f"codec-{codec}" for codec in CODECS), "recompressed"])
def test_what_a_real_broker_stored_is_what_was_sent(name: str) -> None:
    first, second = iterate_batches(captured(name))
    assert list(iterate_records(first)) == sent_records(0, 0)
    assert list(iterate_records(second)) == sent_records(4, 4)


def test_without_idempotence_there_are_no_sequences() -> None:
    first, _ = iterate_batches(captured("not-idempotent"))
    assert list(iterate_records(first)) == sent_records(0, -1)


def test_with_log_append_time_every_record_has_the_batchs() -> None:
    for batch in iterate_batches(captured("log-append-time")):
        header = read_whole_header(batch)
        timestamps = {record.timestamp for record in iterate_records(batch)}
        assert timestamps == {header.max_timestamp}


def test_every_captured_batch_keeps_its_checksum() -> None:
    for batch in iterate_batches(captured("transactions")):
        ensure_checksum(batch, read_whole_header(batch))


def test_sequences_wrap_after_the_largest() -> None:
    header = header_of(base_sequence=2**31 - 2, producer_id=1)
    assert [sequence_at(header, delta) for delta in range(4)] == [2**31 - 2, 2**31 - 1, 0, 1]


def test_header_keys_that_are_no_utf8_are_shown_as_far_as_they_go() -> None:
    record = one_record(header_of(), PlainRecord(headers=((b"a\xffb", b"1"),)))
    assert record.headers == (Header("a\ufffdb", b"1"),)


@pytest.mark.parametrize(
    ("fields", "record"),
    [
        ({"base_offset": 2**63 - 1}, PlainRecord(0, 1)),
        ({"base_timestamp": 2**63 - 1}, PlainRecord(1, 0)),
        ({"base_timestamp": -(2**63)}, PlainRecord(-1, 0)),
    ],
)
def test_numbers_beyond_64_bits_are_corrupt(fields: dict[str, int], record: PlainRecord) -> None:
    with pytest.raises(CorruptRecordError, match="beyond 64 bits"):
        one_record(header_of(**fields), record)


def test_a_delete_horizon_is_the_base_that_timestamps_count_from() -> None:
    builder = BatchBuilder(BatchFields(delete_horizon_ms=9_000))
    builder.append(1_000, b"key", None)
    (record,) = iterate_records(builder.build())
    assert record.timestamp == 1_000


@pytest.mark.parametrize("codec", [5, 6, 7])
def test_an_unknown_codec_is_corrupt(codec: int) -> None:
    batch = bytearray(assemble_batch(header_of(), write_plain_block([PlainRecord()])))
    batch[22] |= codec
    with pytest.raises(CorruptRecordError, match=f"codec {codec}"):
        list(iterate_records(batch))


@given(st.sampled_from(Codec), st.binary(max_size=100), st.integers(-1, 2**31 - 1))
def test_any_bytes_give_records_or_corrupt(codec: Codec, junk: bytes, count: int) -> None:
    header = header_of(record_count=count)
    batch = bytearray(assemble_batch(header, junk))
    batch[22] |= codec
    try:
        records = list(iterate_records(batch))
    except CorruptRecordError:
        return
    assert len(records) == count
