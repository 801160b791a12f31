"""EndTxn as clients see it."""

from __future__ import annotations

import pytest

from moldau.broker.security.access import Operation
from moldau.protocol.messages.transaction.describe_transactions import DescribeTransactionsRequest
from moldau.protocol.messages.transaction.end_txn import EndTxnRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.replica.broker_world import Broker as Disk
from tests.broker.server.transaction_broker import Nothing, TransactionBroker, result_of


def end_of(who, name="t"):
    return EndTxnRequest(
        transactional_id=name, producer_id=who[0], producer_epoch=who[1], committed=True
    )


async def state_of(one):
    answer = await one.ask(DescribeTransactionsRequest(transactional_ids=["t"]), 0)
    return answer.transaction_states[0].transaction_state


@pytest.mark.parametrize(("commit", "word"), [(True, "CompleteCommit"), (False, "CompleteAbort")])
def test_the_end_reaches_the_partitions_and_the_client_goes_on(commit, word):
    async def scenario(one: TransactionBroker):
        await one.data.topic("a")
        who = await one.identity()
        await one.add(who, "a")
        answer = await one.end(who, commit=commit)
        await one.rest()
        return who, answer, await state_of(one), one.data.partition("a").log_end_offset

    who, answer, state, markers = result_of(scenario)
    assert (answer.error_code, answer.producer_id, answer.producer_epoch) == (0, who[0], 1)
    assert (state, markers) == (word, 1)


@pytest.mark.parametrize(("version", "code"), [(1, 47), (2, 90)])
def test_a_zombie_is_reported_in_the_words_of_its_version(version, code):
    async def scenario(one: TransactionBroker):
        who = await one.identity()
        await one.identity()
        return await one.refusal(end_of(who), version)

    assert result_of(scenario) == code


def test_access_to_the_id_is_asked_for():
    async def scenario(one: TransactionBroker):
        who = await one.identity()
        one.broker.authorizer = Nothing((Operation.DESCRIBE, "t"))
        return await one.refusal(end_of(who), 5)

    assert result_of(scenario) == ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED


def test_what_was_decided_before_a_restart_is_finished_after_it():
    disk = Disk()

    async def cannot_reach_the_leader(one: TransactionBroker):
        await one.data.topic("a", leader=2, replicas=[2], isr=[2])
        who = await one.identity()
        await one.add(who, "a")
        await one.end(who)
        await one.rest()
        return await state_of(one)

    async def leads_it_now(one: TransactionBroker):
        await one.data.topic("a", leader_epoch=1, partition_epoch=1)
        await one.rest()
        while await state_of(one) != "CompleteCommit":
            await one.rest()
        return one.data.partition("a").log_end_offset

    assert result_of(cannot_reach_the_leader, disk) == "PrepareCommit"
    assert result_of(leads_it_now, disk) == 1
