"""All implementations of the Tasks port, judged by the same promises."""

from __future__ import annotations

from contextlib import suppress

import pytest

from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system import tasks as system_tasks
from moldau.platform.system.callers_tasks import CallersLoop, CallersTasks

LONG_MS = 60_000
"""Longer than any test may take: a test that really waits for it has failed."""


def run_in_thread_of_caller(main):
    loop = CallersLoop()
    try:
        return loop.call(main(CallersTasks(loop)))
    finally:
        loop.close()


@pytest.fixture(
    params=[system_tasks.run, simulated_tasks.run, run_in_thread_of_caller],
    ids=["system", "simulated", "caller's"],
)
def run(request):
    return request.param


def test_what_main_returns_comes_back(run):
    async def main(tasks):
        return "done"

    assert run(main) == "done"


def test_tasks_end_with_main_and_run_what_they_do_at_the_end(run):
    done = []

    async def patient(tasks):
        try:
            await tasks.sleep(LONG_MS)
        finally:
            done.append("cancelled")

    async def main(tasks):
        tasks.spawn("patient", patient(tasks))
        await tasks.sleep(0)
        assert tasks.running() == ["patient"]

    run(main)
    assert done == ["cancelled"]


def test_a_task_that_fails_ends_main_and_is_named(run):
    async def broken():
        raise ValueError("no")

    async def main(tasks):
        tasks.spawn("broken", broken())
        await tasks.sleep(LONG_MS)

    with pytest.raises(ValueError, match="no") as caught:
        run(main)
    assert caught.value.__notes__ == ["It ended the task 'broken'."]


def test_an_action_that_fails_ends_main_too(run):
    async def main(tasks):
        tasks.after(0, lambda: [][0])
        await tasks.sleep(LONG_MS)

    with pytest.raises(IndexError):
        run(main)


def test_a_failure_during_the_closing_is_not_lost(run):
    async def sore_loser(tasks):
        try:
            await tasks.sleep(LONG_MS)
        finally:
            raise ValueError("at the end")

    async def main(tasks):
        tasks.spawn("sore loser", sore_loser(tasks))
        await tasks.sleep(0)

    with pytest.raises(ValueError, match="at the end"):
        run(main)


def test_main_may_end_in_the_turn_in_which_its_last_task_does(run):
    async def soon_over() -> None:
        pass

    async def main(tasks):
        tasks.spawn("soon over", soon_over())
        await tasks.sleep(0)
        return tasks.running()

    assert set(run(main)) <= {"soon over"}  # and comes back: from Python 3.12 on it hung once


def test_a_deadline_ends_what_takes_too_long(run):
    async def main(tasks):
        async with tasks.deadline(1):
            await tasks.sleep(LONG_MS)

    with pytest.raises(TimeoutError):
        run(main)


def test_two_deadlines_that_pass_at_once_end_both_blocks(run):
    async def main(tasks):
        async with tasks.deadline(0):
            with suppress(TimeoutError):
                async with tasks.deadline(0):
                    await tasks.sleep(LONG_MS)
            await tasks.sleep(LONG_MS)

    with pytest.raises(TimeoutError):
        run(main)


def test_an_inner_deadline_that_has_passed_leaves_the_outer_one_in_force(run):
    async def main(tasks):
        async with tasks.deadline(5):
            with pytest.raises(TimeoutError):
                async with tasks.deadline(0):
                    await tasks.sleep(LONG_MS)
            await tasks.sleep(LONG_MS)

    with pytest.raises(TimeoutError):
        run(main)


def test_timers_act_in_the_order_of_their_time(run):
    async def main(tasks):
        order = []
        tasks.after(20, lambda: order.append("second"))
        tasks.after(5, lambda: order.append("first"))
        tasks.after(10, lambda: order.append("never")).cancel()
        await tasks.sleep(30)
        return order

    assert run(main) == ["first", "second"]


def test_a_promise_takes_its_first_word(run):
    async def main(tasks):
        promise = tasks.promise()
        promise.keep(1)
        promise.keep(2)
        promise.fail(ValueError())
        return promise.is_settled(), await promise.wait()

    assert run(main) == (True, 1)


def test_a_failed_promise_fails_its_waiter(run):
    async def main(tasks):
        promise = tasks.promise()
        tasks.after(0, lambda: promise.fail(ValueError("it will not come")))
        await promise.wait()

    with pytest.raises(ValueError, match="it will not come"):
        run(main)


def test_a_leaf_call_answers_or_raises(run):
    async def main(tasks):
        assert await tasks.offload(divmod, 7, 2) == (3, 1)
        await tasks.offload(divmod, 7, 0)

    with pytest.raises(ZeroDivisionError):
        run(main)


def test_simulated_time_jumps_and_both_hands_move():
    clock = SimulatedClock(start_ms=0)

    async def main(tasks):
        await tasks.sleep(3_600_000)

    simulated_tasks.run(main, clock)
    assert clock.now_ms() == 3_600_000
    assert clock.monotonic_ns() == 3_600_000 * 1_000_000


def test_a_simulation_that_would_wait_for_ever_says_so():
    async def main(tasks):
        await tasks.promise().wait()

    with pytest.raises(AssertionError, match="stands still"):
        simulated_tasks.run(main)


def test_the_same_seed_gives_the_same_order_of_events(seed):
    assert events_of(seed) == events_of(seed)
    assert events_of(seed) != events_of(seed + 1)


def events_of(seed):
    clock, random, events = SimulatedClock(), SeededRandom(seed), []

    async def walk(tasks, name):
        for step in range(20):
            await tasks.sleep(random.random())
            events.append((clock.monotonic_ns(), name, step))

    async def main(tasks):
        for name in ("one", "two", "three"):
            tasks.spawn(name, walk(tasks, name))
        await tasks.sleep(1_000)

    simulated_tasks.run(main, clock)
    return events
