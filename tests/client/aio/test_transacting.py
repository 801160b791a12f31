"""Transactions of one producer, in simulated time."""

from __future__ import annotations

import pytest

from moldau.client.core.producing.prepared import PreparedTransaction
from moldau.client.errors import ClosedError, FencedError, TransactionError
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.transaction.add_partitions_to_txn import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
)
from moldau.protocol.messages.transaction.end_txn import EndTxnRequest, EndTxnResponse
from moldau.protocol.messages.transaction.init_producer_id import (
    InitProducerIdRequest,
    InitProducerIdResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.aio.test_producing import Log, producing
from tests.client.answers import coordinator
from tests.client.core.producing.made import record

TIMEOUT_MS = 1000


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


def fence(broker, step: type, *, has_successor: bool) -> None:
    """From now on: this step is refused, and with a successor every other one, too."""
    code = ErrorCode.PRODUCER_FENCED
    broker.script[EndTxnRequest] = lambda _: EndTxnResponse(throttle_time_ms=0, error_code=code)
    added = AddPartitionsToTxnResponse.AddPartitionsToTxnTopicResult(
        name="t",
        results_by_partition=[
            AddPartitionsToTxnResponse.AddPartitionsToTxnPartitionResult(
                partition_index=0, partition_error_code=code
            )
        ],
    )
    if step is AddPartitionsToTxnRequest:
        broker.script[step] = lambda _: AddPartitionsToTxnResponse(
            throttle_time_ms=0, results_by_topic_v3_and_below=[added]
        )
    broker.script[InitProducerIdRequest] = lambda _: InitProducerIdResponse(
        throttle_time_ms=0,
        error_code=code if has_successor else ErrorCode.NONE,
        producer_id=7,
        producer_epoch=1,
    )


def test_a_producer_without_a_name_has_none():
    async def work(made, broker, cluster):
        with pytest.raises(TransactionError, match="transactional_id"):
            await made.transactions.begin()

    producing(work)


def test_one_is_ended_as_it_was_asked_for_and_only_where_it_has_something():
    async def work(made, broker, cluster):
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
    async def work(made, broker, cluster):
        ended = with_coordinator(broker)
        await made.transactions.begin()
        made.add(record())
        return await made.transactions.prepare(), ended

    assert producing(work, transactional_id="pay") == (PreparedTransaction("pay", 7, 0), [])


@pytest.mark.parametrize("ends_by", ["nothing", "prepare", "commit"])
def test_one_that_is_open_at_the_end_of_its_producer_is_aborted(ends_by):
    async def work(made, broker, cluster):
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
    async def work(made, broker, cluster):
        with_coordinator(broker)
        await made.transactions.begin()
        made.add(record())
        fence(broker, EndTxnRequest, has_successor=True)
        await made.close()

    producing(work, transactional_id="pay")
    assert "the transaction of pay is left to its timeout" in caplog.text


@pytest.mark.parametrize("step", [EndTxnRequest, AddPartitionsToTxnRequest])
def test_one_that_its_timeout_has_aborted_is_no_successor_and_can_be_aborted(step):
    async def work(made, broker, cluster):
        with_coordinator(broker)
        transactions = made.transactions
        await transactions.begin()
        one = record()
        if step is EndTxnRequest:
            made.add(one)
            await made.wait(one)
        fence(broker, step, has_successor=False)
        if step is not EndTxnRequest:
            made.add(one)
            with pytest.raises(TransactionError, match=f"timeout.ms={TIMEOUT_MS}: abort it"):
                await made.wait(one)
        with pytest.raises(TransactionError, match=f"timeout.ms={TIMEOUT_MS}: abort it"):
            await transactions.commit()
        await transactions.abort()
        with_coordinator(broker)
        await transactions.begin()
        made.add(another := record())
        await made.wait(another)
        await transactions.commit()
        asked = broker.questions(EndTxnRequest)[-1]
        return asked.committed, asked.producer_epoch

    found = producing(work, transactional_id="pay", transaction_timeout_ms=str(TIMEOUT_MS))
    assert found == (True, 1)


@pytest.mark.parametrize("step", [EndTxnRequest, AddPartitionsToTxnRequest])
def test_a_producer_with_a_successor_is_fenced_for_ever(step):
    async def work(made, broker, cluster):
        with_coordinator(broker)
        await made.transactions.begin()
        if step is EndTxnRequest:
            made.add(one := record())
            await made.wait(one)
        fence(broker, step, has_successor=True)
        if step is not EndTxnRequest:
            made.add(record())
        for call in ("commit", "abort", "begin"):
            with pytest.raises(FencedError, match="another one has begun"):
                await getattr(made.transactions, call)()

    producing(work, transactional_id="pay")


@pytest.mark.parametrize("verb", ["commit", "abort"])
def test_after_one_that_others_have_ended_otherwise_there_is_another(verb):
    async def work(made, broker, cluster):
        ended, transactions = with_coordinator(broker), made.transactions
        await transactions.begin()
        made.add(record())
        await transactions.prepare()
        broker.script[EndTxnRequest] = lambda _: EndTxnResponse(
            throttle_time_ms=0, error_code=ErrorCode.INVALID_TXN_STATE
        )
        with pytest.raises(TransactionError, match="another program has"):
            await getattr(transactions, verb)()
        await transactions.abort()
        ended = with_coordinator(broker)
        await transactions.begin()
        made.add(record())
        await transactions.commit()
        return ended

    assert producing(work, transactional_id="pay") == [True]


def test_a_closed_producer_begins_none():
    async def work(made, broker, cluster):
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

    async def work(made, broker, cluster):
        with_coordinator(broker)
        await made.transactions.begin()
        one = record()
        made.add(one)
        while not log.offset and log.codes != []:
            await cluster.world.tasks.sleep(1)
        if is_answered:
            await made.wait(one)
        await made.transactions.abort()
        return len(broker.questions(InitProducerIdRequest))

    found = producing(work, log, transactional_id="pay", retry_backoff_ms="60000")
    assert found == (1 if is_answered else 2)
