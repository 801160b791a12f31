"""Before a transaction's first batch on a partition its coordinator is asked, and heeded."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.replica.partition import Partition
from moldau.broker.server.monitoring.gauges import verification_metrics
from moldau.broker.server.produce.verification import is_transactional, producer_of
from moldau.errors import KafkaError
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.transaction.add_partitions_to_txn import AddPartitionsToTxnResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch, marker
from tests.broker.server.data_broker import DataBroker, result_of, topic_id


class Coordinator:
    """Answers with each of these codes in turn, or raises what is no code."""

    def __init__(self, *answers: int | KafkaError) -> None:
        self.asked: list[tuple[str, bool]] = []
        self._answers = list(answers)

    async def ask(self, key: str, request: Any, **circumstances: Any) -> Any:
        (transaction,) = request.transactions
        self.asked.append((key, transaction.verify_only))
        answer = self._answers.pop(0)
        if isinstance(answer, KafkaError):
            raise answer
        cls = AddPartitionsToTxnResponse
        code = cls.AddPartitionsToTxnPartitionResult(partition_index=0, partition_error_code=answer)
        topic = cls.AddPartitionsToTxnTopicResult(name="topic", results_by_partition=[code])
        result = cls.AddPartitionsToTxnResult(transactional_id=key, topic_results=[topic])
        return cls(
            results_by_transaction=[result], results_by_topic_v3_and_below=[], throttle_time_ms=0
        )


class Ending(Coordinator):
    """Still ends the transaction before: its marker arrives after it was first asked."""

    def __init__(self, partition: Partition) -> None:
        super().__init__(ErrorCode.CONCURRENT_TRANSACTIONS, 0)
        self._partition = partition

    async def ask(self, key: str, request: Any, **circumstances: Any) -> Any:
        if not self.asked:
            self._partition.append(marker(9, commit=True), origin=AppendOrigin.COORDINATOR)
        return await super().ask(key, request, **circumstances)


def transactional(sequence: int = 0) -> ProduceRequest:
    data = ProduceRequest.TopicProduceData.PartitionProduceData(
        index=0, records=batch(attributes=0x10, producer=(9, 0, sequence))
    )
    one = ProduceRequest.TopicProduceData(
        name="topic", topic_id=topic_id("topic"), partition_data=[data]
    )
    return ProduceRequest(acks=-1, timeout_ms=1000, topic_data=[one], transactional_id="t")


def codes_after(coordinator: Coordinator, version: int, times: int = 1, **settings: Any):
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        broker.partition("topic").log.producers.verify_transactions = True
        broker.broker.transactions = coordinator
        codes = []
        for sequence in range(times):
            response = await broker.ask(transactional(sequence), version)
            codes.append(response.responses[0].partition_responses[0].error_code)
        return codes

    return result_of(scenario, **settings)


@pytest.mark.parametrize(("version", "verify_only"), [(11, True), (12, False)])
def test_old_clients_are_verified_and_new_ones_added_once(version, verify_only):
    coordinator = Coordinator(0)
    assert codes_after(coordinator, version, times=2) == [0, 0]
    assert coordinator.asked == [("t", verify_only)]


@pytest.mark.parametrize(
    ("answered", "version", "reported"),
    [
        (ErrorCode.TRANSACTION_ABORTABLE, 11, ErrorCode.TRANSACTION_ABORTABLE),
        (ErrorCode.TRANSACTION_ABORTABLE, 10, ErrorCode.INVALID_TXN_STATE),
        (ErrorCode.NOT_COORDINATOR, 12, ErrorCode.NOT_ENOUGH_REPLICAS),
        (KafkaError(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS), 12, ErrorCode.NOT_ENOUGH_REPLICAS),
        (ErrorCode.CONCURRENT_TRANSACTIONS, 11, ErrorCode.NOT_ENOUGH_REPLICAS),
        (ErrorCode.INVALID_PRODUCER_EPOCH, 12, ErrorCode.INVALID_PRODUCER_EPOCH),
        (ErrorCode.PRODUCER_FENCED, 11, ErrorCode.INVALID_PRODUCER_EPOCH),
    ],
)
def test_what_the_coordinator_answers_is_reported_in_words_that_the_client_knows(
    answered, version, reported
):
    assert codes_after(Coordinator(answered), version) == [reported]


def test_questions_are_timed_and_refusals_counted():
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        broker.partition("topic").log.producers.verify_transactions = True
        broker.broker.transactions = Coordinator(ErrorCode.INVALID_PRODUCER_EPOCH, 0)
        counts = []
        for _ in range(2):
            await broker.ask(transactional(), 12)
            times, failures = verification_metrics(broker.broker.metrics)
            counts.append((times.count, failures.count))
        return counts

    assert result_of(scenario) == [(1, 1), (2, 1)]


@pytest.mark.parametrize(
    "answer", [ErrorCode.CONCURRENT_TRANSACTIONS, KafkaError(ErrorCode.CONCURRENT_TRANSACTIONS)]
)
def test_a_transaction_that_is_just_ending_is_waited_for(answer):
    """Whether its coordinator is another broker, or this one."""
    assert codes_after(Coordinator(answer, 0), 12) == [0]


def test_a_marker_that_ends_the_transaction_before_spoils_no_question_about_the_next():
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        partition = broker.partition("topic")
        partition.log.producers.verify_transactions = True
        broker.broker.transactions = Ending(partition)
        response = await broker.ask(transactional(), 12)
        return response.responses[0].partition_responses[0].error_code

    assert result_of(scenario) == 0


def test_verification_can_be_switched_off_for_old_clients():
    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        coordinator = Coordinator()
        broker.broker.transactions = coordinator
        await broker.ask(transactional(), 11)
        return coordinator.asked

    assert result_of(scenario, transaction_partition_verification_enable=False) == []


def test_headers_tell_transactions_and_producers():
    assert is_transactional(transactional().topic_data[0].partition_data[0].records)
    assert not is_transactional(batch())
    assert not is_transactional(None)
    assert producer_of(batch(producer=(77, 0, 0))) == 77
