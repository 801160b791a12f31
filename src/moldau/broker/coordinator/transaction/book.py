"""All transactional ids of a shard: found, and moved on by records.

Two things stand beside the records because Kafka's records lack them. `Lineage` recognises a
client that asks again for an epoch whose answer got lost; it is noted for the
identity that a step leads to, so that a step that cannot be written leaves nothing false behind.
And `unmarked` has the partitions whose markers are still to come.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from moldau.broker.coordinator.shard import StoredRecord
from moldau.broker.coordinator.timers import Timers
from moldau.broker.coordinator.transaction.context import TransactionContext
from moldau.broker.coordinator.transaction.partition_set import NO_PARTITIONS, PartitionSet
from moldau.broker.coordinator.transaction.states import STATES_BEFORE, TransactionState
from moldau.broker.coordinator.transaction.transaction import (
    NO_PRODUCER_EPOCH,
    TAGGED_VERSION,
    Identity,
    Transaction,
)
from moldau.broker.log.directory.names import TopicPartition
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode


class Lineage(NamedTuple):
    """What a producer was before it got the identity that it has."""

    identity: Identity
    last_epoch: int
    previous_producer_id: int


class Book:
    """The state of a shard."""

    def __init__(self, context: TransactionContext) -> None:
        self.context = context
        self.timers = Timers()
        self.by_id: dict[str, Transaction] = {}
        self._lineages: dict[str, Lineage] = {}
        self._unmarked: dict[str, PartitionSet] = {}
        self._open: dict[str, None] = {}

    def __repr__(self) -> str:
        return f"Book({len(self.by_id)} transactional ids)"

    def find(self, transactional_id: str) -> Transaction | None:
        """The transaction of this id, if it is known; an empty id is INVALID_REQUEST."""
        if not transactional_id:
            raise KafkaError(ErrorCode.INVALID_REQUEST, "The transactional id is empty.")
        return self.by_id.get(transactional_id)

    def get(self, transactional_id: str) -> Transaction:
        """The transaction of this id, or INVALID_PRODUCER_ID_MAPPING."""
        found = self.find(transactional_id)
        if found is None:
            raise KafkaError(
                ErrorCode.INVALID_PRODUCER_ID_MAPPING,
                f"Transactional id {transactional_id} was not initialized.",
            )
        return found

    def lineage(self, transaction: Transaction) -> Lineage:
        """What came before the identity that it has now."""
        known = self._lineages.get(transaction.transactional_id)
        if known is not None and known.identity == transaction.client:
            return known
        previous = transaction.previous_producer_id
        return Lineage(transaction.client, NO_PRODUCER_EPOCH, previous)

    def step(
        self, before: Transaction, after: Transaction, last_epoch: int | None = None
    ) -> StoredRecord:
        """The record that moves on; `last_epoch` is given where the identity changes."""
        assert before.state in STATES_BEFORE[after.state], (before.state, after.state)
        if last_epoch is None:
            last_epoch = self.lineage(before).last_epoch
        name = after.transactional_id
        self._lineages[name] = Lineage(after.client, last_epoch, after.previous_producer_id)
        return after.record(min(self.context.transaction_version(), TAGGED_VERSION))

    # Assigned by records.

    def put(self, transaction: Transaction) -> None:
        """This is what the last record holds."""
        name = transaction.transactional_id
        self.by_id[name] = transaction
        if transaction.state is TransactionState.ONGOING:
            self._open[name] = None
        else:
            self._open.pop(name, None)
        if transaction.state.is_ending:
            self._unmarked[name] = transaction.partitions
        else:
            self._unmarked.pop(name, None)

    def forget(self, transactional_id: str) -> None:
        """The id has expired."""
        self.by_id.pop(transactional_id, None)
        self._lineages.pop(transactional_id, None)
        self._open.pop(transactional_id, None)
        self._unmarked.pop(transactional_id, None)

    # Markers.

    def unmarked(self, transaction: Transaction) -> PartitionSet:
        """Where the end of this transaction is still to be written."""
        return self._unmarked.get(transaction.transactional_id, NO_PARTITIONS)

    def mark(self, transaction: Transaction, done: Iterable[TopicPartition]) -> bool:
        """The end is written there; returns whether it is written everywhere."""
        left = self.unmarked(transaction).without(done)
        self._unmarked[transaction.transactional_id] = left
        return not left

    # What is open.

    @property
    def has_open(self) -> bool:
        """Whether any transaction is open, and could become overdue."""
        return bool(self._open)

    @property
    def open(self) -> list[Transaction]:
        return [self.by_id[name] for name in self._open]
