"""Transactions of one producer, in simulated time."""

from __future__ import annotations

import pytest

from moldau.client.core.producing.prepared import PreparedTransaction
from moldau.client.errors import ClosedError, TransactionError
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.transaction.add_partitions_to_txn import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
)
from moldau.protocol.messages.transaction.end_txn import EndTxnRequest, EndTxnResponse
from moldau.protocol.messages.transaction.init_producer_id import InitProducerIdRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.aio.test_producing import Log, producing
from tests.client.answers import coordinator
from tests.client.core.producing.made import record


def with_coordinator(broker) -> list[bool]:
    """What transactions ended with."""
    ended: list[bool] = []

    def end(request: EndTxnRequest) -> EndTxnResponse:
        ended.append(request.committed)
        return EndTxnResponse(
            throttle_time_ms=0, error_code=0, producer_id=7, producer_epoch=len(ended)
        )

    broker.script[FindCoordinatorRequest] = lambda _: coordinator(1)
    broker.script[EndTxnRequest] = end
    broker.script[AddPartitionsToTxnRequest] = lambda _: AddPartitionsToTxnResponse(
        throttle_time_ms=0, results_by_topic_v3_and_below=[]
    )
    return ended


def test_a_producer_without_a_name_has_none():
    async def work(made, broker, town):
        with pytest.raises(TransactionError, match="transactional_id"):
            await made.transactions.begin()

    producing(work)


def test_one_is_ended_as_it_was_asked_for_and_only_where_it_has_something():
    async def work(made, broker, town):
        ended, transactions = with_coordinator(broker), made.transactions
        await transactions.begin()
        await transactions.commit()
        assert ended == []
        for end in (transactions.commit, transactions.abort):
            await transactions.begin()
            one = record()
            made.add(one)
            await made.wait(one)
            await end()
        return ended

    assert producing(work, transactional_id="pay") == [True, False]


def test_one_that_is_prepared_is_left_to_others():
    async def work(made, broker, town):
        ended = with_coordinator(broker)
        await made.transactions.begin()
        made.add(record())
        return await made.transactions.prepare(), ended

    assert producing(work, transactional_id="pay") == (PreparedTransaction("pay", 7, 0), [])


@pytest.mark.parametrize("ends_by", ["nothing", "prepare", "commit"])
def test_one_that_is_open_at_the_end_of_its_producer_is_aborted(ends_by):
    async def work(made, broker, town):
        ended = with_coordinator(broker)
        await made.transactions.begin()
        made.add(record())
        if ends_by != "nothing":
            await getattr(made.transactions, ends_by)()
        await made.close()
        return ended

    expected = {"nothing": [False], "prepare": [], "commit": [True]}
    assert producing(work, transactional_id="pay") == expected[ends_by]


def test_a_producer_ends_though_its_transaction_cannot_be_aborted(caplog):
    async def work(made, broker, town):
        with_coordinator(broker)
        broker.script[EndTxnRequest] = lambda _: EndTxnResponse(
            throttle_time_ms=0, error_code=ErrorCode.INVALID_PRODUCER_EPOCH
        )
        await made.transactions.begin()
        made.add(record())
        await made.close()

    producing(work, transactional_id="pay")
    assert "the transaction of pay is left to its timeout" in caplog.text


def test_a_closed_producer_begins_none():
    async def work(made, broker, town):
        with_coordinator(broker)
        made.stop()
        with pytest.raises(ClosedError):
            await made.transactions.begin()

    producing(work, transactional_id="pay")


@pytest.mark.parametrize("is_answered", [True, False])
def test_sequences_that_may_be_taken_are_given_to_no_transaction_after_that(is_answered):
    """Brokers before 4.0 leave the epoch as it is when a transaction ends."""
    log = Log()
    log.codes = [] if is_answered else [ErrorCode.REQUEST_TIMED_OUT]

    async def work(made, broker, town):
        with_coordinator(broker)
        await made.transactions.begin()
        one = record()
        made.add(one)
        while not log.offset and log.codes != []:
            await town.world.tasks.sleep(1)
        if is_answered:
            await made.wait(one)
        await made.transactions.abort()
        return len(broker.questions(InitProducerIdRequest))

    found = producing(work, log, transactional_id="pay", retry_backoff_ms="60000")
    assert found == (1 if is_answered else 2)
