"""Transactions, as conversations."""

from __future__ import annotations

import pytest

from moldau.client.core.admin.transactions import (
    describe_transactions,
    fence_producers,
    list_transactions,
)
from moldau.client.errors import InvalidArgumentError
from moldau.protocol.messages.transaction.init_producer_id import InitProducerIdResponse
from moldau.protocol.messages.transaction.list_transactions import ListTransactionsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.core.admin.asking import call, cluster, coordinators, talk


def listed(*names: str, unknown: tuple[str, ...] = (), code: int = 0) -> ListTransactionsResponse:
    rows = [
        ListTransactionsResponse.TransactionState(
            transactional_id=name, producer_id=1, transaction_state="Ongoing"
        )
        for name in names
    ]
    return ListTransactionsResponse(
        throttle_time_ms=0,
        error_code=code,
        unknown_state_filters=list(unknown),
        transaction_states=rows,
    )


def test_all_brokers_are_asked_and_filters_need_those_that_know_them():
    held = talk(list_transactions(call(), longer_than_ms=5)).receives(cluster(1, 2))
    assert [ask.oldest for ask in held.step.asks] == [1, 1]
    held.receives(listed("a"), listed(code=ErrorCode.INVALID_REQUEST))
    assert (list(held.result.values), list(held.result.errors)) == (["a"], ["broker 2"])
    held = talk(list_transactions(call(), pattern="a.*")).receives(cluster(1))
    assert held.step.asks[0].oldest == 2


def test_a_state_that_is_none_is_named():
    held = talk(list_transactions(call(), states=["Nope"])).receives(cluster(1))
    with pytest.raises(InvalidArgumentError, match="Nope"):
        held.receives(listed(unknown=("Nope",)))


def test_coordinators_of_transactions_are_asked():
    held = talk(describe_transactions(call(), "x"))
    assert held.asked[0][1].key_type == 1


def test_fencing_waits_for_what_is_under_way_and_asks_for_one_at_a_time():
    held = talk(fence_producers(call(), ["x", "y"])).receives(coordinators({"x": 1, "y": 1}))
    assert [request.transactional_id for _, request in held.asked[1:]] == ["x", "y"]
    busy = InitProducerIdResponse(
        throttle_time_ms=0, error_code=ErrorCode.CONCURRENT_TRANSACTIONS, producer_epoch=0
    )
    done = InitProducerIdResponse(throttle_time_ms=0, error_code=0, producer_id=7, producer_epoch=3)
    held.receives(done, busy).rests().receives(coordinators({"y": 1})).receives(done)
    assert held.result.all() == {"x": (7, 3), "y": (7, 3)}
