"""A held request is let go once: when what it waits for is there, or when its time is up."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from moldau.broker.replica.partition import Partition
from moldau.broker.runtime.purgatory import HELD_MS_MAX, Purgatory
from moldau.platform.simulated.tasks import SimulatedTasks, run


class Bell:
    """Something to watch."""

    def __init__(self) -> None:
        self.watchers: dict[Callable[[Partition], None], None] = {}

    def watch(self, watcher: Callable[[Partition], None]) -> None:
        self.watchers[watcher] = None

    def unwatch(self, watcher: Callable[[Partition], None]) -> None:
        self.watchers.pop(watcher, None)

    def ring(self) -> None:
        for watcher in tuple(self.watchers):
            watcher(cast(Partition, self))


def told_after(play, timeout_ms: float = 100, ready: bool = True):
    """What `then` was told, and what is left, after a play with two bells."""

    async def main(tasks: SimulatedTasks):
        waiting, bells = Purgatory(tasks), (Bell(), Bell())
        told: list[bool] = []
        held = waiting.hold(
            "Fetch", bells, until=lambda _: ready, then=told.append, timeout_ms=timeout_ms
        )
        await play(tasks, bells, held)
        return list(told), waiting.held["Fetch"], sum(len(bell.watchers) for bell in bells)

    return run(main)


def test_a_wake_up_that_brings_it_lets_go_with_the_next_turn_of_the_loop():
    async def play(tasks, bells, held):
        bells[1].ring()
        bells[1].ring()
        await tasks.sleep(1)

    assert told_after(play) == ([True], 0, 0)


def test_nothing_is_done_within_the_wake_up():
    async def play(tasks, bells, held):
        bells[0].ring()

    assert told_after(play) == ([], 0, 0)


def test_a_wake_up_that_brings_nothing_leaves_it_held():
    async def play(tasks, bells, held):
        bells[0].ring()
        await tasks.sleep(50)

    assert told_after(play, ready=False) == ([], 1, 2)


def test_when_time_is_up_it_is_let_go_once():
    async def play(tasks, bells, held):
        await tasks.sleep(200)
        bells[0].ring()
        await tasks.sleep(1)

    assert told_after(play) == ([False], 0, 0)


def test_no_client_holds_a_request_for_ever():
    async def play(tasks, bells, held):
        await tasks.sleep(HELD_MS_MAX + 1)

    assert told_after(play, timeout_ms=2**31) == ([False], 0, 0)


def test_who_is_forgotten_is_not_notified():
    async def play(tasks, bells, held):
        held.forget()
        held.forget()
        bells[0].ring()
        await tasks.sleep(200)

    assert told_after(play) == ([], 0, 0)
