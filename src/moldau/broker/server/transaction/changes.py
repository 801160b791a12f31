"""Transactional ids and transactions that come and go are lines of the log.

Rare things are INFO: an id that gets a producer, a transaction that is aborted, one that was open
for too long, an id that expires. A transaction that is committed is the ordinary course, and DEBUG.
What is loaded at a start is not logged.
"""

from __future__ import annotations

import logging

from moldau.broker.coordinator.shard import Decision, StoredRecord
from moldau.broker.coordinator.transaction.context import TransactionContext
from moldau.broker.coordinator.transaction.shard import TransactionShard
from moldau.broker.coordinator.transaction.states import TransactionState
from moldau.broker.coordinator.transaction.transaction import NEVER_MS, UNLIMITED_MS, Transaction
from moldau.protocol.messages.stored.transaction_log import TransactionLogKey

__all__ = ["LoggedTransactionShard"]

log = logging.getLogger(__name__)


class LoggedTransactionShard(TransactionShard):
    """A shard of transactions that logs what becomes of them."""

    def __init__(self, world: TransactionContext) -> None:
        super().__init__(world)
        self._is_loaded = False

    def loaded(self, now_ms: int) -> Decision:
        self._is_loaded = True
        return super().loaded(now_ms)

    # hot: each step of each transaction; nothing is formatted below the level.
    def apply(self, record: StoredRecord, offset: int, now_ms: int) -> None:
        if not self._is_loaded or not log.isEnabledFor(logging.INFO):
            super().apply(record, offset, now_ms)
            return
        assert isinstance(record.key, TransactionLogKey)
        name = record.key.transactional_id
        before = self.book.by_id.get(name)
        super().apply(record, offset, now_ms)
        after = self.book.by_id.get(name)
        if after is not None:
            _show(before, after, now_ms)
        elif before is not None:
            log.info("Transactional id %s has expired", name)


def _show(before: Transaction | None, after: Transaction, now_ms: int) -> None:
    name, client, state = after.transactional_id, after.client, after.state
    if state is TransactionState.EMPTY:
        log.info(
            "Initialized transactional id %s with producer id %d and epoch %d",
            name, client.producer_id, client.producer_epoch,
        )  # fmt: skip
    elif state is TransactionState.COMPLETE_COMMIT:
        log.debug("Committed the transaction of %s, producer id %d", name, client.producer_id)
    elif state is TransactionState.COMPLETE_ABORT:
        log.info("Aborted the transaction of %s, producer id %d", name, client.producer_id)
    elif state is TransactionState.PREPARE_ABORT and _is_overdue(before, now_ms):
        log.info("The transaction of %s is open for longer than %d ms, its timeout; aborting it",
                 name, after.timeout_ms)  # fmt: skip


def _is_overdue(transaction: Transaction | None, now_ms: int) -> bool:
    if transaction is None or transaction.started_ms == NEVER_MS:
        return False
    timeout_ms = transaction.timeout_ms
    return timeout_ms != UNLIMITED_MS and transaction.started_ms + timeout_ms < now_ms
