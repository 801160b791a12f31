"""The broker's rules, each with the batch that breaks it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from moldau.errors import CorruptRecordError
from moldau.platform.buffers import Buffer
from moldau.protocol.records.batch import (
    BatchHeader,
    TimestampType,
    ensure_checksum,
    read_header,
    read_whole_header,
    set_checksum,
    write_header,
)
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.record import iterate_records
from moldau.protocol.records.refusals import (
    BatchTooLargeError,
    InvalidBatchError,
    InvalidTimestampError,
    MisnumberedBatchError,
)
from moldau.protocol.records.validator import ValidationRules, ValidBatch, validate_batch

NOW = 1_700_000_000_000
HOUR = 3_600_000
KEEP = ValidationRules()
COMPACTED = ValidationRules(is_compacted=True)


def batch_of(
    *timestamps: int, key: bytes | None = b"key", fields: BatchFields | None = None
) -> bytearray:
    builder = BatchBuilder(fields)
    for timestamp in timestamps or (NOW, NOW + 1, NOW - 1):
        builder.append(timestamp, key, b"value")
    return builder.build()


def with_header(batch: bytearray, **fields: int) -> bytearray:
    """A batch whose producer lies, and whose checksum agrees with it."""
    write_header(batch, read_header(batch).replaced(**fields))
    set_checksum(batch, len(batch))
    return batch


def validated(
    batch: Buffer, rules: ValidationRules = KEEP, *, from_client: bool = True
) -> ValidBatch:
    valid = validate_batch(
        batch, rules, now_ms=NOW, base_offset=700, leader_epoch=5, from_client=from_client
    )
    header = read_whole_header(valid.batch)
    assert header == valid.header
    assert (header.base_offset, header.leader_epoch) == (700, 5)
    ensure_checksum(valid.batch, header)
    return valid


def test_a_good_batch_is_placed_where_it_lies() -> None:
    batch = batch_of()
    before = read_whole_header(batch)
    valid = validated(batch)
    assert valid.batch is batch
    assert valid.header == before.replaced(base_offset=700, leader_epoch=5)
    assert (valid.log_append_time, valid.was_rebuilt) == (-1, False)


@pytest.mark.parametrize("view", [bytes, lambda batch: memoryview(batch).toreadonly()])
def test_read_only_bytes_are_copied(view: Callable[[bytearray], Buffer]) -> None:
    batch = batch_of()
    before = bytes(batch)
    assert validated(view(batch)).header.record_count == 3
    assert batch == before


@pytest.mark.parametrize(
    ("lie", "reason", "is_misnumbered"),
    [
        ({"base_offset": 1}, "base offset 1", False),
        ({"record_count": 0}, "0 records", True),
        ({"record_count": -1}, "-1 records", True),
        ({"record_count": 2}, "last offset delta of 2", True),
        ({"last_offset_delta": 3}, "last offset delta of 3", True),
        ({"attributes": 0x20}, "control batch", True),
        ({"attributes": 5}, "codec 5", False),
        ({"producer_id": 7}, "sequence -1", True),
    ],
)
def test_a_producers_header_that_contradicts_itself_is_invalid(
    lie: dict[str, int], reason: str, is_misnumbered: bool
) -> None:
    with pytest.raises(InvalidBatchError, match=reason) as refusal:
        validated(with_header(batch_of(), **lie))
    assert refusal.value.code == 87
    assert isinstance(refusal.value, MisnumberedBatchError) is is_misnumbered


def test_our_own_batches_need_not_look_like_a_producers() -> None:
    marker = with_header(batch_of(), attributes=0x30, producer_id=7, base_offset=3)
    valid = validate_batch(
        marker, KEEP, now_ms=NOW, base_offset=9, leader_epoch=1, from_client=False
    )
    assert (valid.header.is_control, valid.header.base_offset) == (True, 9)


def test_there_is_exactly_one_batch() -> None:
    batch = batch_of()
    for records, reason in ((b"", "no batch"), (batch + batch, "after the batch")):
        with pytest.raises(InvalidBatchError, match=reason):
            validated(records)


@pytest.mark.parametrize("magic", [0, 1, 3])
def test_only_format_2_is_taken(magic: int) -> None:
    with pytest.raises(InvalidBatchError, match=f"batch format {magic}"):
        validated(with_header(batch_of(), magic=magic))


def test_a_batch_that_is_cut_off_or_damaged_is_corrupt() -> None:
    batch = batch_of()
    damaged = bytearray(batch)
    damaged[-1] ^= 1
    for records in (batch[:-1], batch[:20], damaged):
        with pytest.raises(CorruptRecordError):
            validated(records)


def test_a_batch_may_be_as_large_as_the_topic_allows() -> None:
    batch = batch_of()
    validated(bytes(batch), ValidationRules(max_message_bytes=len(batch)))
    with pytest.raises(BatchTooLargeError, match="max") as refusal:
        validated(batch, ValidationRules(max_message_bytes=len(batch) - 1))
    assert refusal.value.code == 10


def test_log_append_time_replaces_the_producers() -> None:
    rules = ValidationRules(timestamp_type=TimestampType.LOG_APPEND)
    valid = validated(batch_of(NOW + 10 * HOUR, 5), rules)
    assert valid.log_append_time == valid.header.max_timestamp == NOW
    assert [record.timestamp for record in iterate_records(valid.batch)] == [NOW, NOW]


def test_a_producer_cannot_claim_log_append_time() -> None:
    batch = batch_of(fields=BatchFields(log_append_time=NOW))
    with pytest.raises(InvalidTimestampError, match="claims log-append time"):
        validated(batch)


@pytest.mark.parametrize("codec", Codec)
def test_a_record_from_the_future_is_named(codec: Codec) -> None:
    batch = batch_of(NOW + HOUR, NOW + HOUR + 1, NOW, fields=BatchFields(codec=codec))
    with pytest.raises(InvalidTimestampError, match="record 1") as refusal:
        validated(batch)
    assert refusal.value.code == 32
    assert [error.batch_index for error in refusal.value.record_errors] == [1]


def test_a_record_from_too_long_ago_is_named() -> None:
    rules = ValidationRules(timestamp_before_max_ms=1_000)
    validated(batch_of(NOW - 1_000, -1), rules)
    with pytest.raises(InvalidTimestampError) as refusal:
        validated(batch_of(NOW - 1_001, NOW, NOW - 5_000), rules)
    assert [error.batch_index for error in refusal.value.record_errors] == [0, 2]


def test_a_compacted_topic_wants_keys() -> None:
    validated(batch_of(), COMPACTED)
    with pytest.raises(InvalidBatchError, match="no key") as refusal:
        validated(batch_of(key=None), COMPACTED)
    assert [error.batch_index for error in refusal.value.record_errors] == [0, 1, 2]
    assert refusal.value.null_keys == 3


@pytest.mark.parametrize("claimed", [NOW - 99, NOW + 99])
def test_the_max_timestamp_is_that_of_the_records_whatever_is_claimed(claimed: int) -> None:
    lie = with_header(batch_of(), max_timestamp=claimed)
    assert validated(lie).header.max_timestamp == NOW + 1


@pytest.mark.parametrize("theirs", Codec)
@pytest.mark.parametrize("ours", Codec)
def test_the_topics_codec_wins(theirs: Codec, ours: Codec) -> None:
    batch = batch_of(fields=BatchFields(codec=theirs))
    before = [record[1:] for record in iterate_records(batch)]
    valid = validated(batch, ValidationRules(codec=ours))
    assert valid.header.codec == ours
    assert valid.was_rebuilt == (theirs != ours)
    assert [record[1:] for record in iterate_records(valid.batch)] == before


def test_control_batches_are_not_compressed() -> None:
    control = batch_of(fields=BatchFields(is_control=True))
    valid = validate_batch(
        control,
        ValidationRules(codec=Codec.ZSTD),
        now_ms=NOW,
        base_offset=0,
        leader_epoch=0,
        from_client=False,
    )
    assert valid.header.codec == Codec.NONE


def test_a_batch_that_grows_too_large_in_the_topics_codec_is_refused() -> None:
    builder = BatchBuilder(BatchFields(codec=Codec.ZSTD))
    builder.append(NOW, None, b"v" * 5_000)
    with pytest.raises(BatchTooLargeError):
        validated(builder.build(), ValidationRules(codec=Codec.NONE, max_message_bytes=1_000))


def test_offset_deltas_that_do_not_count_are_made_to() -> None:
    builder = BatchBuilder(BatchFields(codec=Codec.LZ4))
    builder.append(NOW, b"a", None, offset_delta=4)
    builder.append(NOW, b"b", None, [("h", b"1")])
    batch = with_header(builder.build(), last_offset_delta=1)
    valid = validated(batch, COMPACTED)
    assert valid.was_rebuilt
    assert [(record.offset, record.key) for record in iterate_records(valid.batch)] == [
        (700, b"a"),
        (701, b"b"),
    ]


def test_records_that_cannot_be_read_are_refused() -> None:
    batch = with_header(batch_of(), record_count=4, last_offset_delta=3)
    with pytest.raises(InvalidBatchError, match="cannot be read"):
        validated(batch)


def test_of_what_a_broker_wrote_the_header_counts() -> None:
    batch = with_header(batch_of(), record_count=4, last_offset_delta=3)
    assert isinstance(validated(bytes(batch), from_client=False).header, BatchHeader)
