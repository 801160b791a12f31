"""Markers: once a transaction's end is decided, every partition of it needs a marker.

The shard asks for that by an effect. The runtime writes the markers and reports when each is
done, also of those that are no more; when none is left the transaction is complete. A coordinator
that has just been loaded asks again for all that was decided before: a marker that comes twice
does no harm.
"""

from __future__ import annotations

from collections.abc import Iterable

from moldau.broker.coordinator.shard import NOTHING, Decision, Reply
from moldau.broker.coordinator.transaction.book import Book
from moldau.broker.coordinator.transaction.partition_set import NO_PARTITIONS
from moldau.broker.coordinator.transaction.states import TransactionState
from moldau.broker.coordinator.transaction.transaction import (
    LAST_EPOCH,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    Transaction,
)
from moldau.broker.log.directory.names import TopicPartition
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.error_codes import ErrorCode

COMPLETE_AGAIN_MS = 100
"""When completing could not be written, the next attempt; Kafka's own pause between requests."""


@dataclass(frozen=True, slots=True)
class WriteMarkers:
    """An effect: write the end of a transaction to all these partitions."""

    transactional_id: str
    producer_id: int
    producer_epoch: int
    is_commit: bool
    partitions: tuple[TopicPartition, ...]
    """None at all where nothing was added; then the transaction is complete at once."""
    transaction_version: int
    """The client's: from 2 on leaders insist on a newer epoch (KIP-1228)."""


def markers_for(transaction: Transaction) -> WriteMarkers:
    """What is to be written for a transaction whose end is decided."""
    return WriteMarkers(
        transaction.transactional_id,
        transaction.producer_id,
        transaction.producer_epoch,
        transaction.state is TransactionState.PREPARE_COMMIT,
        tuple(transaction.partitions),
        transaction.client_version,
    )


def decide_markers_written(
    book: Book, markers: WriteMarkers, done: Iterable[TopicPartition], now_ms: int
) -> Decision:
    """Some markers are there; after the last of them the transaction is complete."""
    transaction = book.by_id.get(markers.transactional_id)
    if transaction is None or not _is_about(markers, transaction):
        return NOTHING
    if not book.mark(transaction, done):
        return NOTHING
    after, last_epoch = completed(transaction, now_ms)

    def try_again(_error: ErrorCode) -> list[Reply]:
        book.timers.schedule(
            ("complete", markers.transactional_id),
            now_ms + COMPLETE_AGAIN_MS,
            lambda later_ms: decide_markers_written(book, markers, (), later_ms),
        )
        return []

    return Decision([book.step(transaction, after, last_epoch)], failed=try_again)


def _is_about(markers: WriteMarkers, transaction: Transaction) -> bool:
    return (
        transaction.state.is_ending
        and transaction.producer_id == markers.producer_id
        and transaction.producer_epoch == markers.producer_epoch
    )


def completed(transaction: Transaction, now_ms: int) -> tuple[Transaction, int | None]:
    """The transaction as it is when all markers are there, and its client's last epoch."""
    is_commit = transaction.state is TransactionState.PREPARE_COMMIT
    client = transaction.after_end
    changes: dict[str, object] = {}
    last_epoch = None
    if client.producer_id != transaction.producer_id:
        last_epoch = LAST_EPOCH
    if transaction.next_producer_epoch >= 0:
        changes["previous_producer_id"] = transaction.previous_producer_id
        last_epoch = client.producer_epoch - 1 if client.producer_epoch else LAST_EPOCH
    after = transaction.step(
        **changes,
        producer_id=client.producer_id,
        producer_epoch=client.producer_epoch,
        next_producer_id=NO_PRODUCER_ID,
        next_producer_epoch=NO_PRODUCER_EPOCH,
        state=TransactionState.COMPLETE_COMMIT if is_commit else TransactionState.COMPLETE_ABORT,
        partitions=NO_PARTITIONS,
        updated_ms=now_ms,
    )
    return after, last_epoch
