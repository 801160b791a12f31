"""What time does to transactional ids.

A transaction that is open longer than its producer's timeout is aborted and the producer fenced;
those of two-phase commit have no timeout. An id that was not used for long is removed. Both
are looked for every so often, as Kafka does, and never while nothing could be found.
"""

from __future__ import annotations

from moldau.broker.coordinator.shard import NOTHING, Decision, StoredRecord
from moldau.broker.coordinator.transaction.book import Book
from moldau.broker.coordinator.transaction.end_txn import fenced
from moldau.broker.coordinator.transaction.markers import WriteMarkers, markers_for
from moldau.broker.coordinator.transaction.transaction import UNLIMITED_MS, Transaction
from moldau.errors import KafkaError
from moldau.protocol.messages.stored.transaction_log import TransactionLogKey

OVERDUE = "overdue"
EXPIRED = "expired"
ENDED_AT_ONCE_MAX = 100
"""Overdue transactions that are aborted in one go; the next go follows at once."""
FORGOTTEN_AT_ONCE_MAX = 1000
"""Expired ids that are forgotten in one go."""


def set_timers(book: Book, now_ms: int) -> None:
    """Look again later, where there is something to look at."""
    settings = book.context.settings
    if OVERDUE not in book.timers and book.has_open:
        pause_ms = settings.transaction_abort_timed_out_transaction_cleanup_interval_ms
        book.timers.schedule(OVERDUE, now_ms + pause_ms, lambda ms: end_overdue(book, ms))
    if EXPIRED not in book.timers and book.by_id:
        pause_ms = settings.transaction_remove_expired_transaction_cleanup_interval_ms
        book.timers.schedule(EXPIRED, now_ms + pause_ms, lambda ms: forget_expired(book, ms))


def end_overdue(book: Book, now_ms: int) -> Decision:
    """Abort what is open for too long."""
    overdue = [one for one in book.open if _is_overdue(one, now_ms)]
    records: list[StoredRecord] = []
    effects: list[WriteMarkers] = []
    for transaction in overdue[:ENDED_AT_ONCE_MAX]:
        try:
            after, record = fenced(book, transaction, now_ms)
        except KafkaError:
            break  # no producer ids at the moment: they come up again
        records.append(record)
        effects.append(markers_for(after))
    if len(overdue) > ENDED_AT_ONCE_MAX and records:
        book.timers.schedule(OVERDUE, now_ms, lambda ms: end_overdue(book, ms))
    set_timers(book, now_ms)
    return Decision(records, effects=effects, is_atomic=False) if records else NOTHING


def _is_overdue(transaction: Transaction, now_ms: int) -> bool:
    limited = transaction.timeout_ms != UNLIMITED_MS
    return limited and transaction.started_ms + transaction.timeout_ms < now_ms


def forget_expired(book: Book, now_ms: int) -> Decision:
    """Tombstones for ids that were not used for long."""
    oldest_ms = now_ms - book.context.settings.transactional_id_expiration_ms
    expired = [
        name
        for name, one in book.by_id.items()
        if one.state.is_idle and one.updated_ms <= oldest_ms
    ]
    if len(expired) > FORGOTTEN_AT_ONCE_MAX:
        book.timers.schedule(EXPIRED, now_ms, lambda ms: forget_expired(book, ms))
    set_timers(book, now_ms)
    tombstones = [
        StoredRecord(TransactionLogKey(transactional_id=name), None)
        for name in expired[:FORGOTTEN_AT_ONCE_MAX]
    ]
    return Decision(tombstones, is_atomic=False) if tombstones else NOTHING
