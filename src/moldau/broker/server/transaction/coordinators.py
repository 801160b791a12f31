"""Asking the coordinator of a transaction, wherever it is: to verify partitions, or to add them.

The leader of a partition asks before a transaction's first batch, and the leader of a group's
offsets before they are committed within one. Most transactions are coordinated elsewhere. Questions
to one broker share requests.
"""

from __future__ import annotations

from functools import partial

from moldau.broker.runtime.shared_questions import SharedQuestions
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.topic.creation import TRANSACTIONS_TOPIC
from moldau.errors import KafkaError
from moldau.protocol.messages.transaction.add_partitions_to_txn import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["Coordinators", "Result", "Transaction", "ask_coordinator"]

ASKED_VERSION = 5
NO_LEADER = -1
Transaction = AddPartitionsToTxnRequest.AddPartitionsToTxnTransaction
Result = AddPartitionsToTxnResponse.AddPartitionsToTxnResult


class Coordinators:
    """Requests to transaction coordinators on other brokers."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._questions: dict[int, SharedQuestions[Transaction, Result]] = {}

    def __repr__(self) -> str:
        return f"Coordinators({len(self._questions)} brokers asked so far)"

    async def ask(self, broker_id: int, transaction: Transaction) -> Result:
        """The answer of the coordinator there."""
        questions = self._questions.get(broker_id)
        if questions is None:
            name = f"transactions at {broker_id}"
            ask = partial(self._ask, broker_id)
            questions = SharedQuestions(self._broker.tasks, name, ask)
            self._questions[broker_id] = questions
        return await questions.ask(transaction)

    async def _ask(self, broker_id: int, transactions: list[Transaction]) -> list[Result]:
        request = AddPartitionsToTxnRequest(transactions=transactions)
        timeout_ms = self._broker.settings.request_timeout_ms
        response = await self._broker.others.ask(broker_id, request, timeout_ms)
        assert isinstance(response, AddPartitionsToTxnResponse)
        if response.error_code != ErrorCode.NONE:
            raise KafkaError(response.error_code)
        answered = {one.transactional_id: one for one in response.results_by_transaction}
        ids = [one.transactional_id for one in transactions]
        return [answered.get(one) or _nothing(one) for one in ids]


def _nothing(transactional_id: str) -> Result:
    """An answer that leaves a transaction out has no code for any of its partitions."""
    return Result(transactional_id=transactional_id, topic_results=[])


async def ask_coordinator(call: Call, broker: Broker, transaction: Transaction) -> Result:
    """The answer of the transaction's coordinator, here or elsewhere; or a `KafkaError`."""
    request = AddPartitionsToTxnRequest(transactions=[transaction])
    assert broker.transactions is not None, "verification asks for it"
    try:
        response = await broker.transactions.ask(
            transaction.transactional_id,
            request,
            version=ASKED_VERSION,
            client_id=call.client_id or "",
            client_host=f"/{call.peer.host}",
        )
    except KafkaError as error:
        if error.code != ErrorCode.NOT_COORDINATOR:
            raise
        index = broker.transactions.partition_for(transaction.transactional_id)
        elsewhere = _elsewhere(broker, index)
        if elsewhere is None:
            raise
    else:
        assert isinstance(response, AddPartitionsToTxnResponse)
        (result,) = response.results_by_transaction
        assert isinstance(result, Result)
        return result
    if broker.transaction_client is None:
        broker.transaction_client = Coordinators(broker)
    answered = await broker.transaction_client.ask(elsewhere, transaction)
    assert isinstance(answered, Result)
    return answered


def _elsewhere(broker: Broker, index: int) -> int | None:
    """The broker that coordinates this shard, if it is another one."""
    state = broker.metadata.image.topics.partition(TRANSACTIONS_TOPIC, index)
    if state is None or state.leader in (NO_LEADER, broker.node_id):
        return None
    return int(state.leader)
