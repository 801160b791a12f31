"""Deliveries and batches."""

from __future__ import annotations

import pytest

from moldau.client.core.producing.batch import (
    Delivery,
    Identity,
    Outcome,
    ProducerBatch,
    RecordMetadata,
    packed_batch,
)
from moldau.client.errors import ClosedError, InvalidArgumentError
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.records.batch import HEADER_SIZE, ensure_checksum, read_header
from moldau.protocol.records.builder import BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.record import iterate_records

PART = TopicPartition("t", 3)


def record(value: bytes | None = b"v", time: int = 1000, headers=()) -> Delivery:
    return Delivery("t", value, b"k", -1, time, headers, None)


def batch_of(*records: Delivery, codec: Codec = Codec.NONE) -> ProducerBatch:
    batch = ProducerBatch(PART, 0)
    for one in records:
        batch.append(one)
    batch.close(BatchFields(codec=codec))
    return batch


@pytest.mark.parametrize("codec", [Codec.NONE, Codec.GZIP])
def test_what_was_packed_is_read_back(codec):
    batch = batch_of(record(time=5), record(None, time=3, headers=[("h", b"1")]), codec=codec)
    first, second = iterate_records(batch.records)
    assert (first.timestamp, first.key, first.value) == (5, b"k", b"v")
    assert (second.timestamp, second.value, second.headers) == (3, None, (("h", b"1"),))
    assert read_header(batch.records).max_timestamp == 5


def test_a_record_is_never_larger_than_it_was_counted():
    records = [record(b"x" * 300, headers=[("name", b"y" * 70), ("ü" * 9, None)]) for _ in range(9)]
    counted = sum(one.size for one in records)
    assert len(batch_of(*records).records) <= HEADER_SIZE + counted


def test_a_delivery_lets_go_of_what_was_packed():
    one = record()
    batch_of(one)
    assert (one.key, one.value, one.partition) == (None, None, 3)


def test_the_outcome_of_a_batch_is_that_of_its_records():
    one, other = record(time=7), record(time=8)
    batch = batch_of(one, other)
    assert not other.is_done
    batch.outcome = Outcome(base_offset=20)
    assert other.metadata() == RecordMetadata("t", 3, 21, 8)
    batch.outcome = Outcome(base_offset=20, log_append_time=99)
    assert one.metadata().timestamp == 99
    batch.outcome = Outcome(error=ClosedError())
    with pytest.raises(ClosedError):
        one.metadata()


def test_a_stamp_says_who_sends_it_and_keeps_the_checksum_right():
    batch = batch_of(record())
    batch.identity, batch.sequence = Identity(9, 2), 17
    batch.stamp(is_transactional=True)
    header = read_header(batch.records)
    ensure_checksum(batch.records, header)
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (9, 2, 17)
    assert header.is_transactional


def test_halves_have_all_records_and_their_deliveries():
    records = [record(bytes([number])) for number in range(3)]
    first, second = batch_of(*records).halves(BatchFields())
    values = [one.value for half in (first, second) for one in iterate_records(half.records)]
    assert values == [b"\x00", b"\x01", b"\x02"]
    assert [one.pending for one in records] == [first, second, second]


def test_a_batch_of_columns_counts_its_records():
    made = batch_of(record(), record())
    assert packed_batch(PART, made.records, 0).count == 2


def test_headers_that_are_none_are_refused():
    with pytest.raises(InvalidArgumentError, match="pairs"):
        record(headers=["alone"])
