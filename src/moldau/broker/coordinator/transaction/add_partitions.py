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

Asked = list[AddPartitionsToTxnRequest.AddPartitionsToTxnTopic]


class Wish(NamedTuple):
    """Who wants which partitions in which transaction."""

    transactional_id: str
    client: Identity
    partitions: PartitionSet
    client_version: int


def decide_add_partitions(
    book: Book, request: AddPartitionsToTxnRequest, asking: RequestContext, now_ms: int
) -> Decision:
    """Add, or look, as the request says."""
    if asking.version < BROKERS_FROM:
        topics = request.v3_and_below_topics
        client = Identity(request.v3_and_below_producer_id, request.v3_and_below_producer_epoch)
        wish = Wish(request.v3_and_below_transactional_id, client, _partitions(topics), 0)
        return _add(book, wish, _answer_client(topics), asking, now_ms)
    assert len(request.transactions) == 1, "each transaction is asked about by itself"
    one = request.transactions[0]
    wish = Wish(
        one.transactional_id,
        Identity(one.producer_id, one.producer_epoch),
        _partitions(one.topics),
        EPOCH_BUMPING_VERSION,
    )
    if one.verify_only:
        return _verify(book, wish, one.topics, asking)
    response = answer_broker(one.transactional_id, one.topics, {})
    return _add(book, wish, response, asking, now_ms)


def decide_add_offsets(
    book: Book, request: AddOffsetsToTxnRequest, asking: RequestContext, now_ms: int
) -> Decision:
    """A group's offsets are one more partition."""
    partition = TopicPartition(OFFSETS_TOPIC, book.context.offsets_partition(request.group_id))
    client = Identity(request.producer_id, request.producer_epoch)
    wish = Wish(request.transactional_id, client, PartitionSet.of([partition]), 0)
    return _add(
        book, wish, AddOffsetsToTxnResponse(throttle_time_ms=0, error_code=0), asking, now_ms
    )


def _partitions(topics: Asked) -> PartitionSet:
    return PartitionSet.of(
        TopicPartition(topic.name, index) for topic in topics for index in topic.partitions
    )


# Adding.


def _add(
    book: Book, wish: Wish, response: Message, asking: RequestContext, now_ms: int
) -> Decision:
    transaction = book.get(wish.transactional_id)
    if transaction.state.is_ending:
        raise _concurrent(transaction)
    _check_client(transaction, transaction.client, wish.client)
    if transaction.is_kept:
        raise KafkaError(
            ErrorCode.INVALID_TXN_STATE,
            f"{wish.transactional_id} has a prepared transaction, which must be ended first.",
        )
    reply = Reply(asking.ticket, response)
    is_open = transaction.state is TransactionState.ONGOING
    if is_open and all(one in transaction.partitions for one in wish.partitions):
        return Decision(replies=[reply])
    after = transaction.step(
        state=TransactionState.ONGOING,
        partitions=transaction.partitions.with_all(wish.partitions),
        started_ms=transaction.started_ms if is_open else now_ms,
        updated_ms=now_ms,
        client_version=wish.client_version,
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


def _verify(book: Book, wish: Wish, topics: Asked, asking: RequestContext) -> Decision:
    """Which of them are in the transaction; the log has the last word when it appends."""
    transaction = book.get(wish.transactional_id)
    written = Identity(transaction.producer_id, transaction.producer_epoch)
    _check_client(transaction, written, wish.client)
    if transaction.state.is_ending:
        raise _concurrent(transaction)
    codes: dict[TopicPartition, int] = {
        one: ErrorCode.TRANSACTION_ABORTABLE
        for one in wish.partitions
        if one not in transaction.partitions
    }
    response = answer_broker(wish.transactional_id, topics, codes)
    return Decision(replies=[Reply(asking.ticket, response)])


# Answers.


def _answer_client(topics: Asked) -> AddPartitionsToTxnResponse:
    return AddPartitionsToTxnResponse(
        throttle_time_ms=0,
        results_by_transaction=[],
        results_by_topic_v3_and_below=_results(topics, {}),
    )


def answer_broker(
    transactional_id: str, topics: Asked, codes: dict[TopicPartition, int]
) -> AddPartitionsToTxnResponse:
    """The answer for one transaction; partitions without a code are fine."""
    result = AddPartitionsToTxnResponse.AddPartitionsToTxnResult(
        transactional_id=transactional_id, topic_results=_results(topics, codes)
    )
    return AddPartitionsToTxnResponse(
        throttle_time_ms=0, results_by_transaction=[result], results_by_topic_v3_and_below=[]
    )


def _results(
    topics: Asked, codes: dict[TopicPartition, int]
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
