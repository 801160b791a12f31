"""Long work pauses, and comes to the same end; brokers' work is in `server.test_slices`."""

from __future__ import annotations

from collections import Counter

from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.slices import (
    COUNTED,
    SLICE_NS,
    STEP,
    Pace,
    at_once,
    counted,
    each,
    in_order,
    run_slice,
)


def test_elements_come_out_in_their_order_and_the_work_pauses_now_and_then():
    work = each(str, range(3 * STEP))
    pauses = [next(work) for _ in range(3)]
    assert len(pauses) == 3
    assert at_once(each(str, range(3 * STEP))) == [str(number) for number in range(3 * STEP)]


def test_names_are_counted_by_and_by():
    names = [str(number % 7) for number in range(3 * COUNTED)]
    assert at_once(counted(names)) == Counter(names)
    assert len(list(counted(names))) == 3


def test_names_are_put_in_order_by_and_by_each_once():
    names = [str(number * 7919 % 5000) for number in range(3 * COUNTED)]
    assert list(at_once(in_order(names))) == sorted(set(names))
    assert list(at_once(in_order([]))) == []


def test_who_works_at_a_pace_lets_others_go_on_when_its_slice_is_over():
    clock, seen = SimulatedClock(), []

    def work():
        for _ in range(4):
            seen.append("work")
            clock.advance_ns(SLICE_NS // 2)
            yield
        return "done"

    async def main(tasks):
        async def others():
            while True:
                seen.append("others")
                await tasks.sleep(0)

        beside = tasks.spawn("others", others())
        found = await Pace(clock, tasks).run(work())
        beside.cancel()
        return found

    assert simulated_tasks.run(main, clock) == "done"
    assert seen[:3] == ["work", "work", "others"]


def test_what_is_run_at_once_stops_when_its_slice_is_over():
    clock = SimulatedClock()

    def work():
        for _ in range(5):
            clock.advance_ns(SLICE_NS // 2)
            yield
        return "done"

    running = work()
    assert run_slice(clock, running) == (False, None)
    assert clock.monotonic_ns() == SLICE_NS
    assert run_slice(clock, running) == (False, None)
    assert run_slice(clock, running) == (True, "done")
