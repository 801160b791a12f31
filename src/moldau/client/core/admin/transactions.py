"""Transactions as their coordinators know them, and fencing the producers that own them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.cluster import broker_ids
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.routes import AtBroker, Coordinators
from moldau.client.core.coordinators import KeyType
from moldau.client.core.dialogue import Dialogue
from moldau.client.errors import InvalidArgumentError
from moldau.client.topic_partition import TopicPartition
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.transaction.describe_transactions import (
    DescribeTransactionsRequest,
    DescribeTransactionsResponse,
)
from moldau.protocol.messages.transaction.init_producer_id import (
    InitProducerIdRequest,
    InitProducerIdResponse,
)
from moldau.protocol.messages.transaction.list_transactions import (
    ListTransactionsRequest,
    ListTransactionsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = [
    "FencedProducer",
    "ListedTransaction",
    "TransactionView",
    "describe_transactions",
    "fence_producers",
    "list_transactions",
]

ANY_DURATION = -1
NOT_OPEN = -1
DURATIONS_SINCE, PATTERNS_SINCE = 1, 2
INIT_UP_TO = 5
"""The version after it is not served without `unstable.api.versions.enable`."""
LOADING = frozenset({ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, ErrorCode.COORDINATOR_NOT_AVAILABLE})
BUSY = frozenset({ErrorCode.CONCURRENT_TRANSACTIONS})


@dataclass(frozen=True, slots=True)
class ListedTransaction:
    """A transactional id, in short."""

    transactional_id: str
    producer_id: int
    state: str
    """As the coordinator names it: Empty, Ongoing, PrepareCommit, …"""
    coordinator: int | None = None
    """The broker that keeps it."""


@dataclass(frozen=True, slots=True)
class TransactionView:
    """A transactional id, as its coordinator sees it."""

    transactional_id: str
    state: str
    producer_id: int
    producer_epoch: int
    timeout_ms: int
    start_ms: int | None
    """Since 1970; None: none is open."""
    partitions: tuple[TopicPartition, ...]


class FencedProducer(NamedTuple):
    """The identity that came after those that are fenced now."""

    producer_id: int
    producer_epoch: int


@declared
def list_transactions(
    call: AdminCall,
    *,
    states: Iterable[str] | None = None,
    producer_ids: Iterable[int] | None = None,
    longer_than_ms: int | None = None,
    pattern: str | None = None,
) -> Dialogue[Outcomes[str, ListedTransaction]]:
    """List transactions of all brokers; one that fails is an error by its name, `broker 3`."""
    request = ListTransactionsRequest(
        state_filters=list(states or ()),
        producer_id_filters=list(producer_ids or ()),
        duration_filter=ANY_DURATION if longer_than_ms is None else longer_than_ms,
        transactional_id_pattern=pattern,
    )
    since = PATTERNS_SINCE if pattern else 0 if longer_than_ms is None else DURATIONS_SINCE
    plan = Plan(
        what="listing transactions",
        route=AtBroker[int](lambda node: node),
        request=lambda nodes: request,
        read=_listed,
        noun=lambda node: f"broker {node}",
        retried=LOADING,
        oldest=lambda node: since,
        alone=True,
    )
    nodes = yield from broker_ids(call)
    per_broker = yield from fulfil(call, plan, nodes)
    if not per_broker.values and per_broker.errors:
        per_broker.all()
    found = [one for rows in per_broker.values.values() for one in rows]
    return Outcomes(
        {one.transactional_id: one for one in found},
        {f"broker {node}": error for node, error in per_broker.errors.items()},
    )


@declared
def describe_transactions(
    call: AdminCall, ids: str | Iterable[str]
) -> Dialogue[Outcomes[str, TransactionView]]:
    plan = Plan(
        what="describing transactions",
        route=Coordinators[str](lambda name: name, KeyType.TRANSACTION),
        request=lambda names: DescribeTransactionsRequest(transactional_ids=list(names)),
        read=_described,
        noun=_noun,
    )
    return fulfil(call, plan, _each(ids))


@declared
def fence_producers(
    call: AdminCall, ids: str | Iterable[str]
) -> Dialogue[Outcomes[str, FencedProducer]]:
    """End what is open under these transactional ids, and fence the producers that use them."""

    def request(names: Sequence[str]) -> InitProducerIdRequest:
        return InitProducerIdRequest(
            transactional_id=names[0], transaction_timeout_ms=call.request_timeout_ms
        )

    def read(
        answer: InitProducerIdResponse, names: Sequence[str]
    ) -> Iterator[tuple[str, FencedProducer | Failure]]:
        fenced = FencedProducer(answer.producer_id, answer.producer_epoch)
        yield names[0], failure_or(answer.error_code, None, fenced)

    plan = Plan(
        what="fencing producers",
        route=Coordinators[str](lambda name: name, KeyType.TRANSACTION),
        request=request,
        read=read,
        noun=_noun,
        retried=BUSY,
        newest=INIT_UP_TO,
        alone=True,
    )
    return fulfil(call, plan, _each(ids))


def _each(ids: str | Iterable[str]) -> list[str]:
    return [ids] if isinstance(ids, str) else list(ids)


def _noun(name: str) -> str:
    return f"transactional id {name}"


def _listed(
    answer: ListTransactionsResponse, nodes: Sequence[int]
) -> Iterator[tuple[int, list[ListedTransaction] | Failure]]:
    if answer.unknown_state_filters:
        unknown = ", ".join(answer.unknown_state_filters)
        raise InvalidArgumentError(f"transactions have no states {unknown}: see the names in views")
    rows = [
        ListedTransaction(row.transactional_id, row.producer_id, row.transaction_state, nodes[0])
        for row in answer.transaction_states
    ]
    yield nodes[0], failure_or(answer.error_code, None, rows)


def _described(
    answer: DescribeTransactionsResponse, names: Sequence[str]
) -> Iterator[tuple[str, TransactionView | Failure]]:
    for row in answer.transaction_states:
        start_ms = row.transaction_start_time_ms
        parts = (
            TopicPartition(topic.topic, number)
            for topic in row.topics
            for number in topic.partitions
        )
        view = TransactionView(
            row.transactional_id,
            row.transaction_state,
            row.producer_id,
            row.producer_epoch,
            row.transaction_timeout_ms,
            None if start_ms == NOT_OPEN else start_ms,
            tuple(sorted(parts)),
        )
        yield row.transactional_id, failure_or(row.error_code, None, view)
