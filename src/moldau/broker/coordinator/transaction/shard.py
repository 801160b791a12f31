"""The shard of a transaction coordinator: a request goes to its decider, a record into the book.

Its effects are `markers.WriteMarkers`; the runtime, which writes them, calls `markers_written`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from moldau.broker.coordinator.shard import Decision, Reply, RequestContext, StoredRecord
from moldau.broker.coordinator.transaction.add_partitions import (
    decide_add_offsets,
    decide_add_partitions,
)
from moldau.broker.coordinator.transaction.book import Book
from moldau.broker.coordinator.transaction.context import TransactionContext
from moldau.broker.coordinator.transaction.describe import decide_describe, decide_list
from moldau.broker.coordinator.transaction.end_txn import decide_end_txn
from moldau.broker.coordinator.transaction.expiry import set_timers
from moldau.broker.coordinator.transaction.init_producer_id import decide_init_producer_id
from moldau.broker.coordinator.transaction.markers import (
    WriteMarkers,
    decide_markers_written,
    markers_for,
)
from moldau.broker.coordinator.transaction.transaction import read_transaction
from moldau.broker.log.directory.names import TopicPartition
from moldau.errors import KafkaError
from moldau.protocol.messages.stored.transaction_log import TransactionLogKey, TransactionLogValue
from moldau.protocol.messages.transaction.add_offsets_to_txn import AddOffsetsToTxnRequest
from moldau.protocol.messages.transaction.add_partitions_to_txn import AddPartitionsToTxnRequest
from moldau.protocol.messages.transaction.describe_transactions import DescribeTransactionsRequest
from moldau.protocol.messages.transaction.end_txn import EndTxnRequest
from moldau.protocol.messages.transaction.init_producer_id import InitProducerIdRequest
from moldau.protocol.messages.transaction.list_transactions import ListTransactionsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

Decider = Callable[[Book, Any, RequestContext, int], Decision]

DECIDERS: dict[type[Message], Decider] = {
    InitProducerIdRequest: decide_init_producer_id,
    AddPartitionsToTxnRequest: decide_add_partitions,
    AddOffsetsToTxnRequest: decide_add_offsets,
    EndTxnRequest: decide_end_txn,
    DescribeTransactionsRequest: decide_describe,
    ListTransactionsRequest: decide_list,
}


class TransactionShard:
    """All transactional ids of one partition of `__transaction_state`."""

    def __init__(self, context: TransactionContext) -> None:
        self.book = Book(context)

    def __repr__(self) -> str:
        return f"TransactionShard({self.book!r})"

    def apply(self, record: StoredRecord, offset: int, now_ms: int) -> None:
        """Assign what the record holds."""
        assert isinstance(record.key, TransactionLogKey)
        name = record.key.transactional_id
        if record.value is None:
            self.book.forget(name)
            return
        assert isinstance(record.value, TransactionLogValue)
        self.book.put(read_transaction(name, record.value))
        set_timers(self.book, now_ms)

    def loaded(self, now_ms: int) -> Decision:
        """Markers of decisions that were taken before may be missing: have them written again."""
        ending = [one for one in self.book.by_id.values() if one.state.is_ending]
        return Decision(effects=[markers_for(one) for one in ending])

    def decide(self, request: Message, asking: RequestContext, now_ms: int) -> Decision:
        """What this request leads to."""
        decider = DECIDERS.get(type(request))
        if decider is None:
            raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, f"{type(request).__name__} is unknown.")
        return decider(self.book, request, asking, now_ms)

    def markers_written(
        self, markers: WriteMarkers, done: Iterable[TopicPartition], now_ms: int
    ) -> Decision:
        """These partitions know of the end, or are no more."""
        return decide_markers_written(self.book, markers, done, now_ms)

    def tick(self, now_ms: int) -> Decision:
        """What has become due."""
        return self.book.timers.run_due(now_ms)

    def wake_at_ms(self) -> int | None:
        """When `tick` is wanted next."""
        return self.book.timers.next_at_ms()

    def unloaded(self) -> Sequence[Reply]:
        """No request waits here for longer than a commit."""
        return []
