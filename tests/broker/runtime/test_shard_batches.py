"""Decisions become batches."""

from __future__ import annotations

from moldau.broker.coordinator.record_codec import encode_stored
from moldau.broker.coordinator.shard import Decision
from moldau.broker.runtime.shard_batches import PARTIAL_BATCH_SIZE_MAX, WriteSettings, batches_of
from moldau.protocol.records.batch import NO_SEQUENCE, read_whole_header
from moldau.protocol.records.record import iterate_records
from tests.broker.runtime.tally_shard import record

MANY = [record(number) for number in range(20_000)]


def test_the_records_of_a_decision_are_one_batch():
    ((records, batch),) = batches_of(Decision(MANY), 77)
    found = list(iterate_records(batch))
    assert records == MANY
    assert (found[5].key, found[5].value) == encode_stored(MANY[5])
    assert {one.timestamp for one in found} == {77}
    assert read_whole_header(batch).base_sequence == 0


def test_what_need_not_be_atomic_is_cut_into_bounded_batches():
    cut = list(batches_of(Decision(MANY, is_atomic=False), 77))
    assert len(cut) > 1
    assert all(len(batch) <= PARTIAL_BATCH_SIZE_MAX for _, batch in cut)
    assert [one for records, _ in cut for one in records] == MANY


def test_records_of_a_transaction_name_their_producer():
    ((_, batch),) = batches_of(Decision(MANY[:1], producer=(9, 3)), 77)
    header = read_whole_header(batch)
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (9, 3, 0)
    assert header.is_transactional


def test_transaction_coordinators_write_no_sequence():
    ((_, batch),) = batches_of(Decision(MANY[:1]), 77, WriteSettings(base_sequence=NO_SEQUENCE))
    assert read_whole_header(batch).base_sequence == NO_SEQUENCE
