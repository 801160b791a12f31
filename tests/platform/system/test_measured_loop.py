"""Only waiting counts as waiting."""

from __future__ import annotations

import asyncio
import time

from moldau.platform.system.measured_loop import READABLE, MeasuredLoop, MeasuredSelector
from moldau.platform.system.short_waits import POLL_NS
from moldau.platform.system.tasks import SystemTasks, run

MS = 1_000_000
READY = [(7, READABLE)]
WAITS = 1_000
"""Of waits that end at once, some take longer on a machine that has much to do."""


class Answers:
    """Stands for epoll: what it was asked, and whether a poll finds something."""

    def __init__(self, *, polls_find: bool) -> None:
        self.timeouts: list[float | None] = []
        self.polls_find = polls_find

    def poll(self, timeout, _ready_max):
        self.timeouts.append(timeout)
        return READY if timeout != 0 or self.polls_find else []


def asked(*, polls, polls_find=True):
    """How epoll was asked, over many short waits."""
    answers = Answers(polls_find=polls_find)
    with MeasuredSelector(polls=polls) as selector:
        selector._poll = answers.poll
        for _ in range(WAITS):
            assert selector.poll(None) == READY
    return answers.timeouts


def test_a_loop_that_waits_says_how_long():
    async def main(tasks):
        before = tasks.waited_ns()
        await tasks.sleep(20)
        return tasks.waited_ns() - before

    assert run(main) >= 15 * MS


def test_a_loop_that_works_has_not_waited():
    async def main(tasks):
        await tasks.sleep(0)
        before = tasks.waited_ns()
        began = time.monotonic_ns()
        while time.monotonic_ns() - began < 20 * MS:
            await tasks.sleep(0)
        return tasks.waited_ns() - before

    assert run(main) == 0


def test_on_a_foreign_loop_nothing_is_measured():
    async def main():
        return SystemTasks(owns_loop=False).waited_ns()

    assert asyncio.run(main()) is None
    with asyncio.Runner(loop_factory=MeasuredLoop) as runner:
        assert runner.run(main()) is not None


def test_after_short_waits_a_loop_polls_before_it_sleeps():
    timeouts = asked(polls=True)
    assert timeouts[0] is None
    assert 0 in timeouts


def test_after_a_poll_in_vain_a_loop_sleeps():
    timeouts = asked(polls=True, polls_find=False)
    assert 0 in timeouts
    assert timeouts[-1] is None
    assert timeouts.count(None) == WAITS


def test_polling_counts_as_waiting():
    with MeasuredSelector(polls=True) as selector:
        answers = Answers(polls_find=False)
        selector._poll = answers.poll
        while 0 not in answers.timeouts:
            before_ns = selector.waited_ns
            selector.poll(None)
        assert selector.waited_ns - before_ns >= POLL_NS


def test_a_loop_that_is_not_asked_to_does_not_poll():
    assert 0 not in asked(polls=False)
