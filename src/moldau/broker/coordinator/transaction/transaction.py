"""What the coordinator knows of a transactional id: one value for each record of its log.

A producer is (producer id, epoch). Transactions v2 give a new epoch with each end (KIP-890), so
that a request that was delayed can never meet the next transaction. Epochs end at 32767, which is
kept for fencing and never given to a client: a producer with 32766 next gets a new producer id.
Until its markers are written such a transaction goes on under the old id; `next_producer_id` is
what the client has already got.

Two-phase commit (KIP-939) needs two identities at once: a prepared transaction stays open under
the one that wrote it, while the client that came back to end it has `next_producer_id` and
`next_producer_epoch`. Kafka 4.3 has the fields, but never sets the epoch.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from moldau.broker.coordinator.shard import StoredRecord
from moldau.broker.coordinator.transaction.partition_set import NO_PARTITIONS, PartitionSet
from moldau.broker.coordinator.transaction.states import TransactionState
from moldau.broker.log.directory.names import TopicPartition
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.stored.transaction_log import TransactionLogKey, TransactionLogValue

NO_PRODUCER_ID = -1
NO_PRODUCER_EPOCH = -1
NEVER_MS = -1
EPOCH_MAX = (1 << 15) - 1
"""Only for fencing; no client ever has it."""
LAST_EPOCH = EPOCH_MAX - 1
"""The last one that a client may have; after it comes another producer id."""
UNLIMITED_MS = (1 << 31) - 1
"""The timeout of transactions of two-phase commit, which an external coordinator decides."""
EPOCH_BUMPING_VERSION = 2
"""From this transaction.version on every end gives a new epoch."""
TAGGED_VERSION = 1
"""The version of records that have previous and next ids."""


class Identity(NamedTuple):
    """A producer id and its epoch."""

    producer_id: int
    producer_epoch: int

    @property
    def is_exhausted(self) -> bool:
        return self.producer_epoch >= LAST_EPOCH


@dataclass(frozen=True, slots=True, kw_only=True)
class Transaction:
    """A transactional id, its producer, and the transaction that is open or was last."""

    transactional_id: str
    producer_id: int
    producer_epoch: int = NO_PRODUCER_EPOCH
    timeout_ms: int
    state: TransactionState = TransactionState.EMPTY
    partitions: PartitionSet = NO_PARTITIONS
    started_ms: int = NEVER_MS
    updated_ms: int
    previous_producer_id: int = NO_PRODUCER_ID
    """The one before the last step, whether or not that changed it."""
    next_producer_id: int = NO_PRODUCER_ID
    next_producer_epoch: int = NO_PRODUCER_EPOCH
    client_version: int = 0
    """The transaction.version that the client spoke."""

    @property
    def is_kept(self) -> bool:
        """Prepared by a client that has gone; another has come to end it (KIP-939)."""
        return self.state is TransactionState.ONGOING and self.next_producer_epoch >= 0

    @property
    def client(self) -> Identity:
        """The identity whose requests the coordinator accepts."""
        if self.is_kept:
            return Identity(self.next_producer_id, self.next_producer_epoch)
        return Identity(self.producer_id, self.producer_epoch)

    @property
    def after_end(self) -> Identity:
        """The client's identity once this transaction, which is ending, is over."""
        if self.next_producer_id == NO_PRODUCER_ID:
            return Identity(self.producer_id, self.producer_epoch)
        return Identity(self.next_producer_id, max(self.next_producer_epoch, 0))

    def step(self, **changes: object) -> Transaction:
        """The next value; remembers the producer id before it."""
        changes.setdefault("previous_producer_id", self.producer_id)
        return replace(self, **changes)  # type: ignore[arg-type]

    def record(self, value_version: int) -> StoredRecord:
        """The record that stores it."""
        partitions = None
        if self.state is not TransactionState.EMPTY:
            partitions = [
                TransactionLogValue.PartitionsSchema(topic=topic, partition_ids=indexes)
                for topic, indexes in self.partitions.by_topic()
            ]
        value = TransactionLogValue(
            producer_id=self.producer_id,
            producer_epoch=self.producer_epoch,
            transaction_timeout_ms=self.timeout_ms,
            transaction_status=self.state,
            transaction_partitions=partitions,
            transaction_last_update_timestamp_ms=self.updated_ms,
            transaction_start_timestamp_ms=self.started_ms,
        )
        if value_version >= TAGGED_VERSION:
            value.previous_producer_id = self.previous_producer_id
            value.next_producer_id = self.next_producer_id
            value.next_producer_epoch = self.next_producer_epoch
            value.client_transaction_version = self.client_version
        return StoredRecord(
            TransactionLogKey(transactional_id=self.transactional_id), value, value_version
        )


def read_transaction(transactional_id: str, value: TransactionLogValue) -> Transaction:
    """What a record holds."""
    return Transaction(
        transactional_id=transactional_id,
        producer_id=value.producer_id,
        producer_epoch=value.producer_epoch,
        timeout_ms=value.transaction_timeout_ms,
        state=TransactionState.read(value.transaction_status),
        partitions=PartitionSet.of(
            TopicPartition(one.topic, index)
            for one in value.transaction_partitions or ()
            for index in one.partition_ids
        ),
        started_ms=value.transaction_start_timestamp_ms,
        updated_ms=value.transaction_last_update_timestamp_ms,
        previous_producer_id=value.previous_producer_id,
        next_producer_id=value.next_producer_id,
        next_producer_epoch=value.next_producer_epoch,
        client_version=value.client_transaction_version,
    )
