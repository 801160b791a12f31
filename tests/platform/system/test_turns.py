"""One slice of long work in each turn of the loop, and no search for old garbage meanwhile."""

from __future__ import annotations

import gc
from functools import partial
from types import SimpleNamespace

import pytest

from moldau.platform.system import turns as turns_module
from moldau.platform.system.tasks import run
from moldau.platform.system.turns import NEVER, Turns


class Loop:
    """Turns by hand."""

    def __init__(self):
        self._next = []
        self._later = []

    def call_soon(self, action):
        self._next.append(action)

    def turn(self):
        now, self._next = self._next, []
        for action in now:
            action()

    def call_later(self, delay_s, action):
        timer = SimpleNamespace(cancel=lambda: self._later.remove(action))
        self._later.append(action)
        return timer

    def pass_time(self):
        later, self._later = self._later, []
        for action in later:
            action()

    @property
    def is_idle(self):
        return not self._next


@pytest.fixture
def usual():
    before = gc.get_threshold()
    yield before
    gc.set_threshold(*before)


def test_one_slice_has_its_turn_at_a_time_first_come_first_served():
    loop = Loop()
    done: list[str] = []
    turns = Turns(loop.call_soon, loop.call_later)
    for name in "abc":
        turns.add(partial(done.append, name))
    shown = repr(turns)
    seen = []
    for _ in range(4):
        loop.turn()
        seen.append("".join(done))
    assert (shown, seen, loop.is_idle) == ("Turns(3 wait)", ["a", "ab", "abc", "abc"], True)


def test_long_work_of_several_tasks_goes_on_alternately_and_others_come_between():
    async def main(tasks):
        seen = []

        async def work(name):
            for _ in range(3):
                seen.append(name)
                await tasks.turn()

        async def others():
            for _ in range(12):
                seen.append(".")
                await tasks.sleep(0)

        started = [tasks.spawn(name, work(name)) for name in "ab"]
        started.append(tasks.spawn("others", others()))
        for one in started:
            await one
        return "".join(seen)

    seen = run(main)
    assert seen.replace(".", "") == "ababab"
    assert "ba" not in seen[2:]
    assert "ab" not in seen[2:]


def test_the_oldest_generation_is_left_alone_while_tasks_queue(usual):
    loop, seen = Loop(), []
    turns = Turns(loop.call_soon, loop.call_later)
    turns.add(lambda: seen.append(gc.get_threshold()))
    loop.turn()
    loop.turn()
    seen.append(gc.get_threshold())
    loop.pass_time()
    assert seen == [(*usual[:2], NEVER)] * 2
    assert gc.get_threshold() == usual


def test_work_that_waits_between_its_slices_is_not_over(usual):
    loop = Loop()
    turns = Turns(loop.call_soon, loop.call_later)
    for _ in range(2):
        turns.add(lambda: None)
        loop.turn()
        loop.turn()
    turns.add(lambda: None)
    loop.pass_time()
    assert gc.get_threshold() == (*usual[:2], NEVER)
    turns.close()
    assert gc.get_threshold() == usual


def test_two_loops_of_a_process_leave_the_collector_as_it_was(usual):
    first, second = Loop(), Loop()
    Turns(first.call_soon, first.call_later).add(lambda: None)
    Turns(second.call_soon, second.call_later).add(lambda: None)
    for loop in (first, second):
        loop.turn()
        loop.turn()
        loop.pass_time()
    assert gc.get_threshold() == usual


def test_garbage_is_looked_for_even_if_long_work_never_ends(usual, monkeypatch):
    collected = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(True))
    monkeypatch.setattr(turns_module, "COLLECT_NS", 0)
    loop = Loop()
    turns = Turns(loop.call_soon, loop.call_later)
    turns.add(lambda: None)
    loop.turn()
    assert collected


def fail():
    raise ZeroDivisionError


def test_a_slice_that_fails_does_not_stop_the_others():
    loop, done = Loop(), []
    turns = Turns(loop.call_soon, loop.call_later)
    turns.add(fail)
    turns.add(lambda: done.append("next"))
    with pytest.raises(ZeroDivisionError):
        loop.turn()
    loop.turn()
    assert done == ["next"]


def test_who_is_cancelled_while_it_queues_takes_no_slice():
    async def main(tasks):
        seen = []

        async def work(name):
            await tasks.turn()
            seen.append(name)

        cancelled, kept = (tasks.spawn(name, work(name)) for name in ("cancelled", "kept"))
        await tasks.sleep(0)
        cancelled.cancel()
        await kept
        return seen

    assert run(main) == ["kept"]
