"""AddOffsetsToTxn as clients see it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from moldau.broker.security.access import Operation
from moldau.protocol.messages.transaction.add_offsets_to_txn import AddOffsetsToTxnRequest
from moldau.protocol.messages.transaction.describe_transactions import DescribeTransactionsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.transaction_broker import Nothing, TransactionBroker, result_of


def offsets_of(group, who, name="t"):
    return AddOffsetsToTxnRequest(
        transactional_id=name, producer_id=who[0], producer_epoch=who[1], group_id=group
    )


def test_the_partition_of_the_group_joins_the_transaction():
    async def scenario(one: TransactionBroker):
        one.broker.groups = SimpleNamespace(partition_for=len)
        answer = await one.ask(offsets_of("readers", await one.identity()), 3)
        described = await one.ask(DescribeTransactionsRequest(transactional_ids=["t"]), 0)
        return answer.error_code, described.transaction_states[0].topics

    code, [topic] = result_of(scenario)
    assert (code, topic.topic, topic.partitions) == (0, "__consumer_offsets", [7])


@pytest.mark.parametrize(("version", "code"), [(1, 47), (2, 90)])
def test_a_zombie_is_reported_in_the_words_of_its_version(version, code):
    async def scenario(one: TransactionBroker):
        who = await one.identity()
        await one.identity()
        return await one.refusal(offsets_of("readers", who), version)

    assert result_of(scenario) == code


def test_access_to_the_id_and_the_group_is_asked_for():
    async def scenario(one: TransactionBroker):
        who = await one.identity()
        one.broker.authorizer = Nothing((Operation.WRITE, "t"))
        return [
            await one.refusal(offsets_of("readers", who, name="else"), 3),
            await one.refusal(offsets_of("readers", who), 3),
        ]

    assert result_of(scenario) == [
        ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
        ErrorCode.GROUP_AUTHORIZATION_FAILED,
    ]
