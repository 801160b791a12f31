"""A timer comes in time, once, and not for nothing if it can be helped."""

from __future__ import annotations

from moldau.broker.runtime.wake_timer import WakeTimer
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.tasks import SimulatedTasks, run


def rings(*wishes: int | None, cancels: bool = False) -> list[int]:
    """When it rings for a sleeper who wants each of these in turn, in milliseconds from now."""
    clock, rung, wanted = SimulatedClock(), list[int](), list[int | None]([None])

    async def main(tasks: SimulatedTasks) -> None:
        start_ms = clock.now_ms()
        timer = WakeTimer(
            clock, tasks, lambda: wanted[0], lambda: rung.append(clock.now_ms() - start_ms)
        )
        for wish in wishes:
            wanted[0] = None if wish is None else start_ms + wish
            timer.set()
        if cancels:
            timer.cancel()
        await tasks.sleep(100)
        assert repr(timer) == "WakeTimer(not set)"

    run(main, clock)
    return rung


def test_it_rings_when_it_is_wanted():
    assert rings(30) == [30]
    assert rings(-5) == [0]


def test_it_does_not_ring_for_none():
    assert rings(None) == []
    assert rings(30, cancels=True) == []


def test_the_earliest_wish_counts_even_when_it_is_given_up():
    assert rings(30, 20) == [20]
    assert rings(20, 30) == [20]
    assert rings(20, None) == [20]
