"""AddPartitionsToTxn as clients and brokers see it."""

from __future__ import annotations

from moldau.broker.security.access import CLUSTER_NAME, Operation
from moldau.protocol.messages.transaction.add_partitions_to_txn import AddPartitionsToTxnRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.transaction_broker import (
    Nothing,
    TransactionBroker,
    as_broker,
    as_client,
    result_of,
    wanted,
)


def codes_of(results):
    return {
        topic.name: [one.partition_error_code for one in topic.results_by_partition]
        for topic in results
    }


def codes_by_topic(answer):
    """What a client gets for each topic."""
    return codes_of(answer.results_by_topic_v3_and_below)


def transaction(name, who, *topics, verify_only=False):
    return AddPartitionsToTxnRequest.AddPartitionsToTxnTransaction(
        transactional_id=name,
        producer_id=who[0],
        producer_epoch=who[1],
        verify_only=verify_only,
        topics=list(topics),
    )


def test_a_client_adds_its_partitions():
    async def scenario(one: TransactionBroker):
        await one.data.topic("a")
        return codes_by_topic(await one.add(await one.identity(), "a"))

    assert result_of(scenario) == {"a": [0]}


def test_one_partition_that_is_not_there_stops_all_of_them():
    async def scenario(one: TransactionBroker):
        await one.data.topic("a")
        return codes_by_topic(await one.add(await one.identity(), "a", "nowhere"))

    missing = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert result_of(scenario) == {"a": [ErrorCode.OPERATION_NOT_ATTEMPTED], "nowhere": [missing]}


def test_internal_topics_are_not_for_clients():
    async def scenario(one: TransactionBroker):
        return codes_by_topic(await one.add(await one.identity(), "__transaction_state"))

    assert result_of(scenario) == {"__transaction_state": [ErrorCode.TOPIC_AUTHORIZATION_FAILED]}


def test_a_stranger_gets_the_error_for_each_partition_of_its_version():
    async def scenario(one: TransactionBroker):
        await one.data.topic("a")
        producer_id, epoch = await one.identity()
        await one.identity()
        request = as_client((producer_id, epoch), "a")
        return [await one.refusal(request, version) for version in (1, 2)]

    assert result_of(scenario) == [ErrorCode.INVALID_PRODUCER_EPOCH, ErrorCode.PRODUCER_FENCED]


def test_access_to_the_id_and_to_each_topic_is_asked_for():
    async def scenario(one: TransactionBroker):
        await one.data.topic("a")
        await one.data.topic("b")
        who = await one.identity()
        allowed = (Operation.WRITE, "t"), (Operation.WRITE, "a")
        one.broker.authorizer = Nothing(*allowed)
        partly = codes_by_topic(await one.add(who, "a", "b"))
        return partly, await one.refusal(as_client(who, "a", name="else"), 3)

    partly, code = result_of(scenario)
    assert partly == {
        "a": [ErrorCode.OPERATION_NOT_ATTEMPTED],
        "b": [ErrorCode.TOPIC_AUTHORIZATION_FAILED],
    }
    assert code == ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED


def test_brokers_ask_for_many_transactions_and_each_has_its_own_answer():
    async def scenario(one: TransactionBroker):
        await one.data.topic("a", partitions=2)
        who = await one.identity()
        answer = await one.ask(
            as_broker(
                transaction("t", who, wanted("a", 0)),
                transaction("unknown", who, wanted("a", 0)),
                transaction("t2", who, wanted("nowhere")),
            ),
            5,
        )
        return {
            result.transactional_id: codes_of(result.topic_results)
            for result in answer.results_by_transaction
        }

    assert result_of(scenario) == {
        "t": {"a": [0]},
        "unknown": {"a": [ErrorCode.INVALID_PRODUCER_ID_MAPPING]},
        "t2": {"nowhere": [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]},
    }


def test_brokers_look_without_adding():
    async def scenario(one: TransactionBroker):
        await one.data.topic("a", partitions=2)
        who = await one.identity()
        await one.ask(as_broker(transaction("t", who, wanted("a", 0))), 5)
        look = transaction("t", who, wanted("a", 0, 1), verify_only=True)
        answer = await one.ask(as_broker(look), 4)
        return codes_of(answer.results_by_transaction[0].topic_results)

    assert result_of(scenario) == {"a": [0, ErrorCode.TRANSACTION_ABORTABLE]}


def test_only_brokers_may_ask_as_brokers():
    async def scenario(one: TransactionBroker):
        one.broker.authorizer = Nothing()
        refused = await one.refusal(as_broker(), 5)
        one.broker.authorizer = Nothing((Operation.CLUSTER_ACTION, CLUSTER_NAME))
        return refused, (await one.ask(as_broker(), 5)).error_code

    assert result_of(scenario) == (ErrorCode.CLUSTER_AUTHORIZATION_FAILED, 0)
