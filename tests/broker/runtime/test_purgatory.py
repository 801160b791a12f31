"""A held request is let go once: when what it waits for is there, or when its time is up."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from moldau.broker.replica.partition import Partition
from moldau.broker.runtime.purgatory import HELD_MS_MAX, Purgatory
from moldau.platform.simulated.tasks import SimulatedTasks, run


class Watched:
    """Something to watch."""

    def __init__(self) -> None:
        self.watchers: dict[Callable[[Partition], None], None] = {}

    def watch(self, watcher: Callable[[Partition], None]) -> None:
        self.watchers[watcher] = None

    def unwatch(self, watcher: Callable[[Partition], None]) -> None:
        self.watchers.pop(watcher, None)

    def wake(self) -> None:
        for watcher in tuple(self.watchers):
            watcher(cast(Partition, self))


def answered_after(act, timeout_ms: float = 100, ready: bool = True):
    """What `then` got, and what is left, after an act with two that are watched."""

    async def main(tasks: SimulatedTasks):
        waiting, watched = Purgatory(tasks), (Watched(), Watched())
        answers: list[bool] = []
        held = waiting.hold(
            "Fetch", watched, until=lambda _: ready, then=answers.append, timeout_ms=timeout_ms
        )
        await act(tasks, watched, held)
        return list(answers), waiting.held["Fetch"], sum(len(one.watchers) for one in watched)

    return run(main)


def test_a_wake_up_that_brings_it_lets_go_with_the_next_turn_of_the_loop():
    async def act(tasks, watched, held):
        watched[1].wake()
        watched[1].wake()
        await tasks.sleep(1)

    assert answered_after(act) == ([True], 0, 0)


def test_nothing_is_done_within_the_wake_up():
    async def act(tasks, watched, held):
        watched[0].wake()

    assert answered_after(act) == ([], 0, 0)


def test_a_wake_up_that_brings_nothing_leaves_it_held():
    async def act(tasks, watched, held):
        watched[0].wake()
        await tasks.sleep(50)

    assert answered_after(act, ready=False) == ([], 1, 2)


def test_when_time_is_up_it_is_let_go_once():
    async def act(tasks, watched, held):
        await tasks.sleep(200)
        watched[0].wake()
        await tasks.sleep(1)

    assert answered_after(act) == ([False], 0, 0)


def test_no_client_holds_a_request_for_ever():
    async def act(tasks, watched, held):
        await tasks.sleep(HELD_MS_MAX + 1)

    assert answered_after(act, timeout_ms=2**31) == ([False], 0, 0)


def test_who_is_forgotten_is_not_notified():
    async def act(tasks, watched, held):
        held.forget()
        held.forget()
        watched[0].wake()
        await tasks.sleep(200)

    assert answered_after(act) == ([], 0, 0)
