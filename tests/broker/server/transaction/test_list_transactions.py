"""ListTransactions as operators see it."""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.protocol.messages.transaction.list_transactions import ListTransactionsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.transaction_broker import Nothing, TransactionBroker, result_of


def asked(**filters):
    given = {"state_filters": [], "producer_id_filters": [], **filters}
    return ListTransactionsRequest(**given)


async def names(one, **filters):
    answer = await one.ask(asked(**filters), 2)
    assert answer.error_code == 0
    return [state.transactional_id for state in answer.transaction_states]


def test_filters_narrow_what_is_listed():
    async def scenario(one: TransactionBroker):
        await one.data.topic("a")
        await one.identity("idle")
        await one.add(await one.identity("open"), "a", name="open")
        return [
            await names(one),
            await names(one, state_filters=["Ongoing"]),
            await names(one, transactional_id_pattern="i.+"),
        ]

    assert result_of(scenario) == [["idle", "open"], ["open"], ["idle"]]


def test_filters_that_name_no_state_are_reported():
    async def scenario(one: TransactionBroker):
        await one.identity()
        return await one.ask(asked(state_filters=["Nonsense", "Empty"]), 0)

    answer = result_of(scenario)
    assert answer.unknown_state_filters == ["Nonsense"]
    assert len(answer.transaction_states) == 1


def test_ids_that_may_not_be_seen_are_not_listed():
    async def scenario(one: TransactionBroker):
        await one.identity("mine")
        await one.identity("theirs")
        one.broker.authorizer = Nothing((Operation.DESCRIBE, "mine"))
        return await names(one)

    assert result_of(scenario) == ["mine"]


def test_a_pattern_that_is_none_is_refused_and_so_is_a_node_without_a_coordinator():
    async def scenario(one: TransactionBroker):
        bad = await one.refusal(asked(transactional_id_pattern="("), 2)
        one.broker.transactions = None
        return bad, await one.refusal(asked(), 2)

    assert result_of(scenario) == (
        ErrorCode.INVALID_REGULAR_EXPRESSION,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
    )
