"""A transactional id as a value and as a record."""

from __future__ import annotations

from moldau.broker.coordinator.record_codec import TRANSACTION_RECORDS, decode_stored, encode_stored
from moldau.broker.coordinator.transaction.partition_set import PartitionSet
from moldau.broker.coordinator.transaction.states import TransactionState
from moldau.broker.coordinator.transaction.transaction import (
    Identity,
    Transaction,
    read_transaction,
)
from moldau.protocol.messages.stored.transaction_log import TransactionLogValue
from tests.broker.coordinator.transaction.stage import partitions

EMPTY = Transaction(
    transactional_id="t", producer_id=7, producer_epoch=3, timeout_ms=60_000, updated_ms=99
)
OPEN = EMPTY.step(
    state=TransactionState.ONGOING,
    partitions=PartitionSet.of(partitions("orders", 0, 1, 2)),
    started_ms=98,
    client_version=2,
)


def written(transaction):
    return transaction.record(1).value


def through_bytes(transaction, version):
    stored = decode_stored(TRANSACTION_RECORDS, *encode_stored(transaction.record(version)))
    assert stored is not None
    assert isinstance(stored.value, TransactionLogValue)
    return read_transaction("t", stored.value)


def test_a_record_says_all_that_is_known():
    ending = OPEN.step(state=TransactionState.PREPARE_COMMIT, next_producer_id=9)
    for one in (EMPTY, OPEN, ending, OPEN.step(next_producer_id=9, next_producer_epoch=0)):
        assert through_bytes(one, 1) == one


def test_a_record_for_old_brokers_lacks_what_they_cannot_read():
    read = through_bytes(OPEN, 0)
    assert (read.previous_producer_id, read.client_version) == (-1, 0)
    assert read.partitions == OPEN.partitions


def test_no_partitions_are_written_as_null_only_while_an_id_is_empty():
    done = OPEN.step(state=TransactionState.COMPLETE_COMMIT, partitions=PartitionSet())
    assert written(EMPTY).transaction_partitions is None
    assert written(done).transaction_partitions == []


def test_each_step_remembers_the_producer_id_before_it():
    assert EMPTY.step(producer_id=8).previous_producer_id == 7
    assert EMPTY.step().previous_producer_id == 7


def test_a_kept_transaction_has_a_client_beside_its_writer():
    kept = OPEN.step(next_producer_id=9, next_producer_epoch=4)
    assert kept.is_kept
    assert kept.client == Identity(9, 4)
    assert OPEN.client == Identity(7, 3)


def test_the_last_epoch_of_a_client_is_one_below_that_of_fencing():
    assert [Identity(1, epoch).is_exhausted for epoch in (32765, 32766, 32767)] == [0, 1, 1]
