"""DescribeTransactions as operators see it."""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.protocol.messages.transaction.describe_transactions import DescribeTransactionsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.transaction_broker import Nothing, TransactionBroker, result_of


async def described(one, *names):
    answer = await one.ask(DescribeTransactionsRequest(transactional_ids=list(names)), 0)
    return answer.transaction_states


def test_each_id_has_its_own_answer():
    async def scenario(one: TransactionBroker):
        await one.data.topic("a")
        await one.add(await one.identity(), "a")
        return await described(one, "t", "unknown", "")

    open_, unknown, empty = result_of(scenario)
    assert (open_.error_code, open_.transaction_state) == (0, "Ongoing")
    assert [(topic.topic, topic.partitions) for topic in open_.topics] == [("a", [0])]
    assert unknown.error_code == ErrorCode.TRANSACTIONAL_ID_NOT_FOUND
    assert empty.error_code == ErrorCode.INVALID_REQUEST


def test_what_is_coordinated_elsewhere_says_so():
    async def scenario(one: TransactionBroker):
        one.broker.transactions.close()
        return await described(one, "t")

    [state] = result_of(scenario)
    assert state.error_code == ErrorCode.NOT_COORDINATOR


def test_topics_and_ids_that_may_not_be_seen_are_not_shown():
    async def scenario(one: TransactionBroker):
        await one.data.topic("a")
        await one.data.topic("b")
        await one.add(await one.identity(), "a", "b")
        see = Operation.DESCRIBE
        one.broker.authorizer = Nothing((see, "t"), (see, "b"))
        return await described(one, "t", "else")

    seen, unseen = result_of(scenario)
    assert [topic.topic for topic in seen.topics] == ["b"]
    assert unseen.error_code == ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
