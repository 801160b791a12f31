"""InitProducerId as clients see it."""

from __future__ import annotations

import pytest

from moldau.broker.security.access import Operation
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.transaction_broker import (
    BLOCK_START,
    Nothing,
    TransactionBroker,
    result_of,
)


def test_every_idempotent_producer_gets_an_id_of_its_own():
    async def scenario(one: TransactionBroker):
        return [await one.init(None) for _ in range(3)]

    answers = result_of(scenario)
    assert [answer.producer_id for answer in answers] == [BLOCK_START + n for n in range(3)]
    assert {(answer.producer_epoch, answer.error_code) for answer in answers} == {(0, 0)}


def test_a_transactional_producer_is_answered_by_its_coordinator():
    async def scenario(one: TransactionBroker):
        return await one.identity(), await one.identity()

    assert result_of(scenario) == ((BLOCK_START, 0), (BLOCK_START, 1))


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"name": ""}, ErrorCode.INVALID_REQUEST),
        ({"producer_id": 5}, ErrorCode.INVALID_REQUEST),
        ({"producer_epoch": 5}, ErrorCode.INVALID_REQUEST),
        ({"transaction_timeout_ms": 0}, ErrorCode.INVALID_TRANSACTION_TIMEOUT),
    ],
)
def test_what_makes_no_sense_is_refused_without_an_identity(fields, code):
    answer = result_of(lambda one: one.init(**fields))
    assert (answer.error_code, answer.producer_id, answer.producer_epoch) == (code, -1, -1)


@pytest.mark.parametrize(("version", "code"), [(3, 47), (4, 90)])
def test_a_fenced_producer_is_reported_in_the_words_of_its_version(version, code):
    async def scenario(one: TransactionBroker):
        who = await one.identity()
        await one.identity()
        await one.identity()
        return await one.init(version=version, producer_id=who[0], producer_epoch=who[1])

    assert result_of(scenario).error_code == code


def test_access_is_asked_for():
    async def scenario(one: TransactionBroker):
        one.broker.authorizer = Nothing((Operation.WRITE, "mine"))
        return [
            (await one.init("mine")).error_code,
            (await one.init("mine", version=6, enable2_pc=True)).error_code,
            (await one.init("theirs")).error_code,
            (await one.init(None)).error_code,
        ]

    no_id = ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
    assert result_of(scenario, transaction_two_phase_commit_enable=True) == [
        0,
        no_id,
        no_id,
        ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
    ]


def test_who_may_write_to_a_topic_may_do_so_idempotently():
    async def scenario(one: TransactionBroker):
        await one.data.topic("orders")
        one.broker.authorizer = Nothing(any_topic=True)
        return (await one.init(None)).error_code

    assert result_of(scenario) == 0


def test_a_prepared_transaction_is_kept_for_who_asks_for_it():
    async def scenario(one: TransactionBroker):
        await one.data.topic("orders")
        first = await one.init(version=6, enable2_pc=True)
        await one.add((first.producer_id, first.producer_epoch), "orders")
        return first, await one.init(version=6, enable2_pc=True, keep_prepared_txn=True)

    first, second = result_of(scenario, transaction_two_phase_commit_enable=True)
    assert second.producer_epoch == first.producer_epoch + 1
    ongoing = second.ongoing_txn_producer_id, second.ongoing_txn_producer_epoch
    assert ongoing == (first.producer_id, first.producer_epoch)


def test_a_node_without_producer_ids_says_so():
    async def scenario(one: TransactionBroker):
        one.broker.producer_ids = None
        return (await one.init(None)).error_code

    assert result_of(scenario) == ErrorCode.COORDINATOR_NOT_AVAILABLE
