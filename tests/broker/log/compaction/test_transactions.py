"""Transactions in the eyes of a round of compaction."""

from __future__ import annotations

from moldau.broker.log.compaction.transactions import CleanedTransactions
from moldau.broker.log.segment.transaction_index import AbortedTransaction
from moldau.protocol.records.batch import read_header
from moldau.protocol.records.control import EndMarker, build_marker_batch
from tests.broker.log.producer_batches import PRODUCER, data

ABORTED = AbortedTransaction(PRODUCER, 10, 14, 15)


def marker(offset: int, *, commit: bool):
    batch = bytes(
        build_marker_batch(
            EndMarker(commit, 0),
            producer_id=PRODUCER,
            producer_epoch=0,
            timestamp=0,
            base_offset=offset,
        )
    )
    return read_header(batch), batch


def in_transaction(offset: int):
    return data(offset, 0, transactional=True), b""


def test_aborted_data_goes_and_its_marker_stays_with_its_entry():
    transactions = CleanedTransactions()
    transactions.expect([ABORTED, ABORTED])
    assert transactions.is_discarded(*in_transaction(10))
    assert not transactions.is_discarded(*marker(14, commit=False))
    assert transactions.still_aborted == [ABORTED]


def test_an_abort_marker_without_data_may_go():
    transactions = CleanedTransactions()
    transactions.expect([ABORTED])
    assert transactions.is_discarded(*marker(14, commit=False))
    assert transactions.still_aborted == []


def test_committed_data_stays_and_holds_its_marker():
    transactions = CleanedTransactions()
    assert not transactions.is_discarded(*in_transaction(10))
    assert not transactions.is_discarded(*marker(11, commit=True))
    assert transactions.is_discarded(*marker(12, commit=True))


def test_an_aborted_transaction_counts_from_its_first_offset_on():
    transactions = CleanedTransactions()
    transactions.expect([ABORTED])
    assert not transactions.is_discarded(*in_transaction(9))
    assert transactions.is_discarded(*in_transaction(10))


def test_other_batches_are_never_discarded():
    transactions = CleanedTransactions()
    transactions.expect([ABORTED])
    assert not transactions.is_discarded(data(11, 0), b"")
    assert not transactions.is_discarded(data(12, -1, producer_id=-1), b"")


def test_a_marker_that_was_emptied_before_may_go():
    header, batch = marker(14, commit=True)
    assert CleanedTransactions().is_discarded(header.replaced(record_count=0), batch)
