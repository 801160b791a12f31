"""AddPartitionsToTxn and AddOffsetsToTxn: which partitions a transaction's markers go to.

Clients before KIP-890 call these themselves. Brokers call AddPartitionsToTxn 4 and up, either to
add on behalf of a client, or to look whether a partition is in the transaction that an older
client writes to. Both arrive here for one transaction at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from moldau.broker.coordinator.shard import Decision, Reply, RequestContext
from moldau.broker.coordinator.transaction.book import Book
from moldau.broker.coordinator.transaction.partition_set import PartitionSet
from moldau.broker.coordinator.transaction.states import TransactionState
from moldau.broker.coordinator.transaction.transaction import (
    EPOCH_BUMPING_VERSION,
    Identity,
    Transaction,
)
from moldau.broker.log.directory.names import TopicPartition
from moldau.errors import KafkaError
from moldau.protocol.messages.transaction.add_offsets_to_txn import (
    AddOffsetsToTxnRequest,
    AddOffsetsToTxnResponse,
)
from moldau.protocol.messages.transaction.add_partitions_to_txn import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

BROKERS_FROM = 4
"""AddPartitionsToTxn versions in which brokers speak."""
OFFSETS_TOPIC = "__consumer_offsets"

Topics = list[AddPartitionsToTxnRequest.AddPartitionsToTxnTopic]


class Addition(NamedTuple):
    """The producer, its transaction, and the partitions to add."""

    transactional_id: str
    client: Identity
    partitions: PartitionSet
    client_version: int


def decide_add_partitions(
    book: Book, request: AddPartitionsToTxnRequest, asking: RequestContext, now_ms: int
) -> Decision:
    """Add them, or only verify that they are there (KIP-890)."""
    if asking.version < BROKERS_FROM:
        topics = request.v3_and_below_topics
        client = Identity(request.v3_and_below_producer_id, request.v3_and_below_producer_epoch)
        addition = Addition(request.v3_and_below_transactional_id, client, _partitions(topics), 0)
        return _add(book, addition, _answer_client(topics), asking, now_ms)
    assert len(request.transactions) == 1, "each transaction is asked about by itself"
    one = request.transactions[0]
    addition = Addition(
        one.transactional_id,
        Identity(one.producer_id, one.producer_epoch),
        _partitions(one.topics),
        EPOCH_BUMPING_VERSION,
    )
    if one.verify_only:
        return _verify(book, addition, one.topics, asking)
    response = answer_broker(one.transactional_id, one.topics, {})
    return _add(book, addition, response, asking, now_ms)


def decide_add_offsets(
    book: Book, request: AddOffsetsToTxnRequest, asking: RequestContext, now_ms: int
) -> Decision:
    """A group's offsets are one more partition."""
    partition = TopicPartition(OFFSETS_TOPIC, book.context.offsets_partition(request.group_id))
    client = Identity(request.producer_id, request.producer_epoch)
    addition = Addition(request.transactional_id, client, PartitionSet.of([partition]), 0)
    return _add(
        book, addition, AddOffsetsToTxnResponse(throttle_time_ms=0, error_code=0), asking, now_ms
    )


def _partitions(topics: Topics) -> PartitionSet:
    return PartitionSet.of(
        TopicPartition(topic.name, index) for topic in topics for index in topic.partitions
    )


# Adding.


def _add(
    book: Book, addition: Addition, response: Message, asking: RequestContext, now_ms: int
) -> Decision:
    transaction = book.get(addition.transactional_id)
    if transaction.state.is_ending:
        raise _concurrent(transaction)
    _check_client(transaction, transaction.client, addition.client)
    if transaction.is_kept:
        raise KafkaError(
            ErrorCode.INVALID_TXN_STATE,
            f"{addition.transactional_id} has a prepared transaction, which must be ended first.",
        )
    reply = Reply(asking.ticket, response)
    is_open = transaction.state is TransactionState.ONGOING
    if is_open and all(one in transaction.partitions for one in addition.partitions):
        return Decision(replies=[reply])
    after = transaction.step(
        state=TransactionState.ONGOING,
        partitions=transaction.partitions.with_all(addition.partitions),
        started_ms=transaction.started_ms if is_open else now_ms,
        updated_ms=now_ms,
        client_version=addition.client_version,
    )
    return Decision([book.step(transaction, after)], [reply])


def _check_client(transaction: Transaction, known: Identity, given: Identity) -> None:
    if given.producer_id != known.producer_id:
        raise KafkaError(
            ErrorCode.INVALID_PRODUCER_ID_MAPPING,
            f"{transaction.transactional_id} belongs to another producer id.",
        )
    if given.producer_epoch != known.producer_epoch:
        raise KafkaError(
            ErrorCode.PRODUCER_FENCED,
            f"Another producer has taken over {transaction.transactional_id}.",
        )


def _concurrent(transaction: Transaction) -> KafkaError:
    return KafkaError(
        ErrorCode.CONCURRENT_TRANSACTIONS,
        f"A transaction of {transaction.transactional_id} is just ending.",
    )


# Looking.


def _verify(book: Book, addition: Addition, topics: Topics, asking: RequestContext) -> Decision:
    """Which of them are in the transaction; the log has the last word when it appends."""
    transaction = book.get(addition.transactional_id)
    written = Identity(transaction.producer_id, transaction.producer_epoch)
    _check_client(transaction, written, addition.client)
    if transaction.state.is_ending:
        raise _concurrent(transaction)
    codes: dict[TopicPartition, int] = {
        one: ErrorCode.TRANSACTION_ABORTABLE
        for one in addition.partitions
        if one not in transaction.partitions
    }
    response = answer_broker(addition.transactional_id, topics, codes)
    return Decision(replies=[Reply(asking.ticket, response)])


# Answers.


def _answer_client(topics: Topics) -> AddPartitionsToTxnResponse:
    return AddPartitionsToTxnResponse(
        throttle_time_ms=0,
        results_by_transaction=[],
        results_by_topic_v3_and_below=_results(topics, {}),
    )


def answer_broker(
    transactional_id: str, topics: Topics, codes: dict[TopicPartition, int]
) -> AddPartitionsToTxnResponse:
    """The answer for one transaction; partitions without a code are fine."""
    result = AddPartitionsToTxnResponse.AddPartitionsToTxnResult(
        transactional_id=transactional_id, topic_results=_results(topics, codes)
    )
    return AddPartitionsToTxnResponse(
        throttle_time_ms=0, results_by_transaction=[result], results_by_topic_v3_and_below=[]
    )


def _results(
    topics: Topics, codes: dict[TopicPartition, int]
) -> list[AddPartitionsToTxnResponse.AddPartitionsToTxnTopicResult]:
    return [
        AddPartitionsToTxnResponse.AddPartitionsToTxnTopicResult(
            name=topic.name, results_by_partition=_codes(topic.name, topic.partitions, codes)
        )
        for topic in topics
    ]


def _codes(
    name: str, indexes: Iterable[int], codes: dict[TopicPartition, int]
) -> list[AddPartitionsToTxnResponse.AddPartitionsToTxnPartitionResult]:
    return [
        AddPartitionsToTxnResponse.AddPartitionsToTxnPartitionResult(
            partition_index=index,
            partition_error_code=codes.get(TopicPartition(name, index), ErrorCode.NONE),
        )
        for index in indexes
    ]
