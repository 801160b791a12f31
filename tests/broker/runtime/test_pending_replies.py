"""PendingReplies are answered once, and call-backs only where they meet nothing halfway."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from moldau.broker.coordinator.shard import Reply
from moldau.broker.runtime.pending_replies import PendingReplies
from moldau.errors import KafkaError
from moldau.platform.simulated.tasks import SimulatedTasks, run
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.runtime.tally_shard import answer

MOVED = KafkaError(ErrorCode.NOT_COORDINATOR)


def answered(act: Callable[[PendingReplies, list[Any]], None]) -> tuple[list[Any], list[Any]]:
    """What two call-backs have received when the act is over, and a turn later."""
    received: list[Any] = []

    async def main(tasks: SimulatedTasks) -> list[Any]:
        pending = PendingReplies(tasks)
        assert [pending.add(received.append), pending.add(received.append)] == [1, 2]
        act(pending, received)
        at_once = list(received)
        await tasks.sleep(1)
        assert len(pending) == 2 - len(received)
        return at_once

    return run(main), received


def test_a_call_back_comes_in_a_turn_of_its_own():
    replies = [Reply(1, answer(5)), Reply(2, answer(6))]
    at_once, later = answered(lambda pending, received: pending.answer(replies))
    assert (at_once, later) == ([], [answer(5), answer(6)])


def test_in_our_own_turn_it_comes_at_once():
    at_once, _ = answered(lambda pending, received: pending.answer_one(1, answer(5), True))
    assert at_once == [answer(5)]


def test_answers_and_refusals_come_in_turns_of_their_own():
    def act(pending: PendingReplies, received: list[Any]) -> None:
        pending.answer([Reply(1, answer(5))])
        pending.refuse([Reply(2, answer(6))], MOVED)

    assert answered(act) == ([], [answer(5), MOVED])


def test_all_are_refused_in_turns_of_their_own():
    at_once, later = answered(lambda pending, received: pending.refuse_all(MOVED))
    assert (at_once, later) == ([], [MOVED, MOVED])


def test_none_is_notified_twice():
    def act(pending: PendingReplies, received: list[Any]) -> None:
        pending.answer([Reply(1, answer(5))])
        pending.answer([Reply(1, answer(6))])
        pending.forget(2)
        pending.answer([Reply(2, answer(7))])
        pending.add(received.append)

    assert answered(act)[1] == [answer(5)]


def test_a_task_waits_for_its_promise():
    async def main(tasks: SimulatedTasks) -> tuple[object, object]:
        pending, promises = PendingReplies(tasks), [tasks.promise(), tasks.promise()]
        for promise in promises:
            pending.add(promise)
        pending.answer([Reply(1, answer(5))])
        pending.refuse_all(MOVED)
        try:
            await promises[1].wait()
        except KafkaError as error:
            return await promises[0].wait(), error
        return None, None

    assert run(main) == (answer(5), MOVED)
