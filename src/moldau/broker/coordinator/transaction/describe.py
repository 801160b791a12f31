"""DescribeTransactions and ListTransactions: what an operator sees (KIP-664).

Both only look. A transaction that is ending shows the partitions that still wait for its marker,
which is how one that hangs is found.
"""

from __future__ import annotations

from moldau.broker.coordinator.group.consumer.patterns import Pattern, parse_pattern
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext
from moldau.broker.coordinator.transaction.book import Book
from moldau.broker.coordinator.transaction.partition_set import PartitionSet
from moldau.broker.coordinator.transaction.states import STATES_BY_TITLE
from moldau.broker.coordinator.transaction.transaction import Transaction
from moldau.protocol.messages.transaction.describe_transactions import (
    DescribeTransactionsRequest,
    DescribeTransactionsResponse,
)
from moldau.protocol.messages.transaction.list_transactions import (
    ListTransactionsRequest,
    ListTransactionsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

Described = DescribeTransactionsResponse.TransactionState


def decide_describe(
    book: Book, request: DescribeTransactionsRequest, asking: RequestContext, now_ms: int
) -> Decision:
    """One state for each id, in the order asked."""
    states = [_describe(book, name) for name in request.transactional_ids]
    response = DescribeTransactionsResponse(throttle_time_ms=0, transaction_states=states)
    return Decision(replies=[Reply(asking.ticket, response)])


def _describe(book: Book, name: str) -> Described:
    if not name:
        return undescribed(name, ErrorCode.INVALID_REQUEST)
    transaction = book.by_id.get(name)
    if transaction is None:
        return undescribed(name, ErrorCode.TRANSACTIONAL_ID_NOT_FOUND)
    partitions = transaction.partitions
    if transaction.state.is_ending:
        partitions = book.unmarked(transaction)
    return Described(
        error_code=ErrorCode.NONE,
        transactional_id=name,
        transaction_state=transaction.state.title,
        transaction_timeout_ms=transaction.timeout_ms,
        transaction_start_time_ms=transaction.started_ms,
        producer_id=transaction.producer_id,
        producer_epoch=transaction.producer_epoch,
        topics=_topics(partitions),
    )


def undescribed(name: str, code: int) -> Described:
    """Why there is nothing to say about this id."""
    return Described(
        error_code=code,
        transactional_id=name,
        transaction_state="",
        transaction_timeout_ms=0,
        transaction_start_time_ms=0,
        producer_id=0,
        producer_epoch=0,
        topics=[],
    )


def _topics(partitions: PartitionSet) -> list[Described.TopicData]:
    return [
        Described.TopicData(topic=topic, partitions=indexes)
        for topic, indexes in partitions.by_topic()
    ]


def decide_list(
    book: Book, request: ListTransactionsRequest, asking: RequestContext, now_ms: int
) -> Decision:
    """All that pass every filter."""
    wanted = Filters(request, now_ms)
    states = [
        ListTransactionsResponse.TransactionState(
            transactional_id=one.transactional_id,
            producer_id=one.producer_id,
            transaction_state=one.state.title,
        )
        for one in book.by_id.values()
        if wanted.take(one)
    ]
    response = ListTransactionsResponse(
        throttle_time_ms=0,
        error_code=ErrorCode.NONE,
        unknown_state_filters=unknown_states(request),
        transaction_states=states,
    )
    return Decision(replies=[Reply(asking.ticket, response)])


class Filters:
    """What a ListTransactions request is after."""

    def __init__(self, request: ListTransactionsRequest, now_ms: int) -> None:
        self._states = frozenset(request.state_filters)
        self._producer_ids = frozenset(request.producer_id_filters)
        self._duration_ms = request.duration_filter
        self._pattern = wanted_pattern(request)
        self._now_ms = now_ms

    def take(self, transaction: Transaction) -> bool:
        """Whether this one is wanted; idle ones count as open since ever, as in Kafka."""
        if self._producer_ids and transaction.producer_id not in self._producer_ids:
            return False
        if self._states and transaction.state.title not in self._states:
            return False
        age_ms = self._now_ms - transaction.started_ms
        if self._duration_ms >= 0 and age_ms <= self._duration_ms:
            return False
        return self._pattern is None or self._pattern.matches(transaction.transactional_id)


def unknown_states(request: ListTransactionsRequest) -> list[str]:
    """Filters that name no state."""
    return [name for name in request.state_filters if name not in STATES_BY_TITLE]


def wanted_pattern(request: ListTransactionsRequest) -> Pattern | None:
    """The pattern for ids, in RE2's syntax; INVALID_REGULAR_EXPRESSION if it is none."""
    text = request.transactional_id_pattern
    return parse_pattern(text) if text else None
