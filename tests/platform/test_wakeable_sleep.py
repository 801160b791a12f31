"""A sleep that may end early."""

from __future__ import annotations

import pytest

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.tasks import SimulatedTasks, run
from moldau.platform.wakeable_sleep import WakeableSleep


def slept_ms(duration_ms, *, woken_after_ms=None):
    """How long two sleeps of one kind last together."""
    clock = SimulatedClock()

    async def main(tasks: SimulatedTasks):
        sleep = WakeableSleep(tasks)

        async def twice():
            await sleep.wait(duration_ms)
            assert repr(sleep) == "WakeableSleep(awake)"
            await sleep.wait(duration_ms)

        began_ms = clock.now_ms()
        sleeper = tasks.spawn("sleeper", twice())
        for _ in range(2 if woken_after_ms is not None else 0):
            await tasks.sleep(woken_after_ms)
            assert repr(sleep) == "WakeableSleep(asleep)"
            sleep.wake()
            sleep.wake()
        await sleeper
        return clock.now_ms() - began_ms

    return run(main, clock)


def test_it_lasts_as_long_as_it_is_to():
    assert slept_ms(50) == 100


@pytest.mark.parametrize("duration_ms", [None, 500])
def test_it_ends_when_it_is_woken_and_the_next_one_is_another(duration_ms):
    assert slept_ms(duration_ms, woken_after_ms=30) == 60


def test_a_time_that_has_passed_is_no_sleep():
    assert slept_ms(-5) == 0


def test_who_is_awake_is_not_woken_for_the_next_time():
    clock = SimulatedClock()

    async def main(tasks: SimulatedTasks):
        sleep = WakeableSleep(tasks)
        sleep.wake()
        began_ms = clock.now_ms()
        await sleep.wait(50)
        return clock.now_ms() - began_ms

    assert run(main, clock) == 50


def test_no_timer_is_left_of_a_sleep_that_was_given_up():
    clock = SimulatedClock()

    async def main(tasks: SimulatedTasks):
        sleep = WakeableSleep(tasks)
        with pytest.raises(TimeoutError):
            async with tasks.deadline(10):
                await sleep.wait(20)
        sleep.wake()
        began_ms = clock.now_ms()
        task = tasks.spawn("sleeper", sleep.wait())
        await tasks.sleep(100)
        assert repr(sleep) == "WakeableSleep(asleep)"
        sleep.wake()
        await task
        return clock.now_ms() - began_ms

    assert run(main, clock) == 100
