"""Producer snapshots and transaction indexes as lines."""

from __future__ import annotations

from collections.abc import Iterator

from moldau.broker.log.dump.report import Shown, optional_text, words_text
from moldau.broker.log.producers.entry import ProducerEntry
from moldau.broker.log.producers.snapshot import decode_snapshot
from moldau.broker.log.segment.transaction_index import VERSION, TransactionIndex
from moldau.platform.ports.files import Files, read_whole


def dump_producer_snapshot(files: Files, path: str) -> Iterator[Shown]:
    """`.snapshot`: a line for each producer."""
    for entry in decode_snapshot(read_whole(files, path), path):
        yield _producer_line(entry)


def dump_transaction_index(files: Files, path: str) -> Iterator[Shown]:
    """`.txnindex`: a line for each aborted transaction."""
    index = TransactionIndex(files, path)
    try:
        for aborted in index.entries():
            fields: dict[str, object] = {
                "version": VERSION,
                "producerId": aborted.producer_id,
                "firstOffset": aborted.first_offset,
                "lastOffset": aborted.last_offset,
                "lastStableOffset": aborted.last_stable_offset,
            }
            yield Shown("aborted", fields, words_text(fields))
    finally:
        index.close()


def _producer_line(entry: ProducerEntry) -> Shown:
    fields: dict[str, object] = {
        "producerId": entry.producer_id,
        "producerEpoch": entry.epoch,
        "coordinatorEpoch": entry.coordinator_epoch,
        "currentTxnFirstOffset": entry.transaction_first_offset,
        "lastTimestamp": entry.last_timestamp,
    }
    if entry.batches:
        note = entry.batches[0]
        fields |= {
            "firstSequence": note.first_sequence,
            "lastSequence": note.last_sequence,
            "lastOffset": note.last_offset,
            "offsetDelta": note.offset_delta,
            "timestamp": note.timestamp,
        }
    opened = optional_text(entry.transaction_first_offset)
    return Shown("producer", fields, words_text({**fields, "currentTxnFirstOffset": opened}))
