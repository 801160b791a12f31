"""A transaction's coordinator is asked wherever it is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.server.transaction.coordinators import Result, Transaction, ask_coordinator
from moldau.errors import KafkaError, NetworkError
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.protocol.messages.transaction.add_partitions_to_txn import AddPartitionsToTxnResponse
from moldau.protocol.wire.error_codes import ErrorCode

CALL: Any = SimpleNamespace(client_id="a client", peer=SimpleNamespace(host="there"))


def result_of(name):
    return Result(transactional_id=name, topic_results=[])


def transaction_of(name):
    return Transaction(transactional_id=name, producer_id=1, producer_epoch=0, topics=[])


class Here:
    """The coordinators of this broker: for none, or for those whose name begins with `own`."""

    def partition_for(self, key):
        return 3

    async def ask(self, key, request, *, version, client_id, client_host):
        if not key.startswith("own"):
            raise KafkaError(ErrorCode.NOT_COORDINATOR)
        result = result_of(key)
        return AddPartitionsToTxnResponse(throttle_time_ms=0, results_by_transaction=[result])


class Others:
    """Broker 2 answers each question after a millisecond."""

    def __init__(self, tasks, error=None, code=0):
        self.asked = []
        self._tasks = tasks
        self._error = error
        self._code = code

    async def ask(self, broker_id, request, timeout_ms):
        names = [one.transactional_id for one in request.transactions]
        self.asked.append((broker_id, names))
        await self._tasks.sleep(1)
        if self._error is not None:
            raise self._error
        results = [result_of(name) for name in reversed(names)]
        return AddPartitionsToTxnResponse(
            throttle_time_ms=0, error_code=self._code, results_by_transaction=results
        )


def ask(*names, leader=2, **given):
    """What is asked of others for these transactions at the same time, and their answers."""

    async def main(tasks):
        others = Others(tasks, **given)
        state = None if leader is None else SimpleNamespace(leader=leader)
        topics = SimpleNamespace(partition=lambda topic, index: state)
        broker: Any = SimpleNamespace(
            node_id=1,
            tasks=tasks,
            transactions=Here(),
            others=others,
            transaction_client=None,
            settings=SimpleNamespace(request_timeout_ms=1000),
            metadata=SimpleNamespace(image=SimpleNamespace(topics=topics)),
        )
        outcomes: dict[str, object] = {}

        async def one(name):
            try:
                answered = await ask_coordinator(CALL, broker, transaction_of(name))
                outcomes[name] = answered.transactional_id
            except (KafkaError, NetworkError) as error:
                outcomes[name] = error

        first = tasks.spawn("the first", one(names[0]))
        await tasks.sleep(0.1)
        for task in [first, *(tasks.spawn(name, one(name)) for name in names[1:])]:
            await task
        return others.asked, outcomes

    return simulated_tasks.run(main)


def test_who_is_coordinated_here_is_not_asked_for_elsewhere():
    assert ask("own") == ([], {"own": "own"})


def test_who_is_coordinated_elsewhere_is_asked_for_there():
    assert ask("a") == ([(2, ["a"])], {"a": "a"})


def test_questions_that_come_while_one_is_under_way_share_the_next():
    asked, outcomes = ask("a", "b", "c")
    assert asked == [(2, ["a"]), (2, ["b", "c"])]
    assert outcomes == {"a": "a", "b": "b", "c": "c"}


@pytest.mark.parametrize("leader", [None, 1, -1])
def test_who_has_no_coordinator_is_refused_by_name(leader):
    asked, outcomes = ask("a", leader=leader)
    error: Any = outcomes["a"]
    assert (asked, error.code) == ([], ErrorCode.NOT_COORDINATOR)


@pytest.mark.parametrize(
    "failing",
    [
        {"error": NetworkError("broker 2", "reset")},
        {"code": ErrorCode.CLUSTER_AUTHORIZATION_FAILED},
    ],
)
def test_a_failed_question_fails_all_that_were_in_it(failing):
    _, outcomes = ask("a", "b", **failing)
    assert all(isinstance(outcomes[name], KafkaError | NetworkError) for name in ("a", "b"))
