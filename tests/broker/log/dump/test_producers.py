"""Producer snapshots and transaction indexes."""

from __future__ import annotations

from moldau.broker.log.producers.entry import BatchNote, ProducerEntry
from moldau.broker.log.producers.snapshot import encode_snapshot
from moldau.broker.log.segment.transaction_index import AbortedTransaction
from tests.broker.log.dumped_files import Dumped


def test_a_producer_is_a_line_with_its_last_batch_if_it_has_one():
    files = Dumped()
    entries = [ProducerEntry(7, 1, 2, 500, 90, BatchNote(11, 99, 3, 400)), ProducerEntry(8, 0)]
    files.put("0.snapshot", encode_snapshot(entries))
    assert files.lines("0.snapshot") == [
        "producerId: 7 producerEpoch: 1 coordinatorEpoch: 2 "
        "currentTxnFirstOffset: OptionalLong[90] lastTimestamp: 500 "
        "firstSequence: 8 lastSequence: 11 lastOffset: 99 offsetDelta: 3 timestamp: 500",
        "producerId: 8 producerEpoch: 0 coordinatorEpoch: -1 "
        "currentTxnFirstOffset: OptionalLong.empty lastTimestamp: -1",
    ]


def test_an_aborted_transaction_is_a_line():
    files = Dumped()
    files.put("0.txnindex", AbortedTransaction(7, 10, 14, 15).pack())
    assert files.lines("0.txnindex") == [
        "version: 0 producerId: 7 firstOffset: 10 lastOffset: 14 lastStableOffset: 15"
    ]
