"""Tasks that run in their caller's thread; what all tasks promise is in ports/test_tasks.py."""

from __future__ import annotations

import os
import time

import pytest

from moldau.platform.system.callers_tasks import CallersLoop, CallersTasks

LONG_MS = 60_000


@pytest.fixture
def loop():
    made = CallersLoop()
    yield made
    made.close()


def test_between_two_calls_nothing_runs_and_the_next_one_goes_on(loop):
    tasks, steps = CallersTasks(loop), []

    async def work():
        for step in range(3):
            steps.append(step)
            await tasks.sleep(1)

    async def begin():
        tasks.spawn("work", work())

    async def wait():
        while tasks.running():
            await tasks.turn()

    loop.call(begin())
    assert steps in ([], [0])
    loop.call(wait())
    assert steps == [0, 1, 2]


def test_an_interrupt_ends_the_call_and_what_it_waited_in(loop):
    tasks, ended = CallersTasks(loop), []

    async def work():
        try:
            tasks.after(0, interrupt)
            await tasks.sleep(LONG_MS)
        finally:
            ended.append("work")

    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        loop.call(work())
    loop.call(tasks.sleep(0))
    assert ended == ["work"]


def test_a_task_that_is_ended_while_it_is_awaited_ends_with_its_waiter(loop):
    tasks, ended = CallersTasks(loop), []

    async def inner():
        try:
            await tasks.sleep(LONG_MS)
        finally:
            ended.append("inner")

    async def outer():
        with pytest.raises(TimeoutError):
            async with tasks.deadline(1):
                await tasks.spawn("inner", inner())
        return list(ended)

    assert loop.call(outer()) in ([], ["inner"])
    loop.call(tasks.sleep(1))
    assert ended == ["inner"]


def test_a_deadline_that_is_met_leaves_no_trace(loop):
    tasks = CallersTasks(loop)

    async def work():
        async with tasks.deadline(5):
            time.sleep(0.01)  # noqa: ASYNC251 - so that it is over without having been noticed
        await tasks.sleep(1)
        return "done"

    assert loop.call(work()) == "done"


def test_an_action_that_is_cancelled_in_the_turn_of_its_time_does_not_act(loop):
    tasks, acted = CallersTasks(loop), []

    async def work():
        timer = tasks.after(0, lambda: acted.append("late"))
        tasks.in_turn(timer.cancel)
        await tasks.sleep(1)

    loop.call(work())
    assert acted == []


def test_what_is_readable_is_reported_until_it_is_unwatched(loop):
    tasks, found = CallersTasks(loop), []
    reads, writes = os.pipe()

    def read():
        found.append(os.read(reads, 1))
        if len(found) == 2:
            loop.watch(reads)
            enough.keep(None)

    enough = tasks.promise()

    async def work():
        os.write(writes, b"abc")
        loop.watch(reads, reads=read)
        await enough.wait()
        await tasks.sleep(1)

    loop.call(work())
    assert found == [b"a", b"b"]
    os.close(reads)
    os.close(writes)


def test_who_waits_for_nothing_is_not_left_waiting(loop):
    async def work():
        await CallersTasks(loop).promise().wait()

    with pytest.raises(AssertionError, match="for nothing"):
        loop.call(work())
