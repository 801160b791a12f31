"""Refusals of a log in the words of a coordinator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from moldau.broker.replica.refusals import not_enough_replicas, not_leader
from moldau.broker.runtime.refused_writes import meaning_of, when_committed
from moldau.errors import KafkaError, StorageError
from moldau.platform.simulated.tasks import SimulatedTasks, run
from moldau.protocol.records.refusals import BatchTooLargeError
from moldau.protocol.wire.error_codes import ErrorCode

Settle = Callable[[KafkaError | None], None]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (not_leader("p"), ErrorCode.NOT_COORDINATOR),
        (StorageError("p", "it burns"), ErrorCode.NOT_COORDINATOR),
        (not_enough_replicas("p", 1, 2), ErrorCode.COORDINATOR_NOT_AVAILABLE),
        (BatchTooLargeError("too large"), ErrorCode.UNKNOWN_SERVER_ERROR),
        (KafkaError(ErrorCode.INVALID_TXN_STATE), ErrorCode.INVALID_TXN_STATE),
    ],
)
def test_a_coordinator_says_what_its_clients_can_act_upon(error, code):
    assert meaning_of(error).code == code


def waited(act: Callable[[Settle], None]) -> list[int]:
    """What is answered for a write for which this happens, and ten milliseconds are allowed."""
    codes: list[int] = []

    class Partition:
        def when_committed(self, offset: int, committed: Settle) -> None:
            act(committed)

    async def main(tasks: SimulatedTasks) -> None:
        partition: Any = Partition()
        when_committed(
            partition, 7, lambda error: codes.append(error.code), lambda: codes.append(0), tasks, 10
        )
        await tasks.sleep(20)

    run(main)
    return codes


def test_what_is_committed_is_released():
    assert waited(lambda settle: settle(None)) == [0]


def test_what_will_not_be_committed_is_refused():
    assert waited(lambda settle: settle(not_leader("p"))) == [ErrorCode.NOT_COORDINATOR]


def test_what_is_late_is_refused():
    assert waited(lambda settle: None) == [ErrorCode.COORDINATOR_NOT_AVAILABLE]


def test_only_the_first_word_counts():
    def twice(settle: Settle) -> None:
        settle(None)
        settle(not_leader("p"))

    assert waited(twice) == [0]
