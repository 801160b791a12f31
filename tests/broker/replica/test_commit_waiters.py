"""All that wait for a commit are notified exactly once."""

from __future__ import annotations

from moldau.broker.replica.commit_waiters import Committed, CommitWaiters
from moldau.errors import KafkaError


def test_only_reached_offsets_are_released_lowest_first():
    waiters = CommitWaiters()
    committed: list[int] = []

    def note(offset: int) -> Committed:
        return lambda error: committed.append(offset)

    for offset in (3, 1, 2):
        waiters.add(offset, note(offset))
    waiters.release(2)
    assert committed == [1, 2]
    assert len(waiters) == 1


def test_a_refusal_reaches_all_who_are_left_and_none_twice():
    waiters = CommitWaiters()
    errors: list[KafkaError | None] = []
    waiters.add(5, errors.append)
    waiters.refuse(KafkaError(6))
    waiters.release(9)
    assert [error and error.code for error in errors] == [6]
