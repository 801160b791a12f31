"""Threads for leaf calls: how many, which of them, and what becomes of results and failures."""

from __future__ import annotations

import asyncio
import gc
import weakref
from threading import Event, current_thread

import pytest

from moldau.platform.system.direct_loop import DirectLoop
from moldau.platform.system.offloading import OffloadThreads


@pytest.fixture(params=[DirectLoop, asyncio.new_event_loop])
def run(request):
    """Runs a scenario with two threads at most, on our own loop and on that of the library."""

    def run_scenario(scenario):
        reported = []

        async def main():
            loop = asyncio.get_running_loop()
            loop.set_exception_handler(lambda _loop, context: reported.append(context))
            threads = OffloadThreads(loop, 2)
            try:
                return await asyncio.wait_for(scenario(threads), 30)
            finally:
                threads.close()
                assert not reported

        with asyncio.Runner(loop_factory=request.param) as runner:
            return runner.run(main())

    return run_scenario


def test_a_call_runs_beside_the_loop_and_its_result_comes_back(run):
    async def scenario(threads):
        name = await threads.call(lambda: current_thread().name, ())
        return name, await threads.call(divmod, (7, 2))

    assert run(scenario) == ("offload_0", (3, 1))


def test_a_failure_is_raised_where_it_is_waited_for_and_the_thread_goes_on(run):
    async def scenario(threads):
        with pytest.raises(ZeroDivisionError):
            await threads.call(divmod, (1, 0))
        return await threads.call(divmod, (7, 2)), len(threads)

    assert run(scenario) == ((3, 1), 1)


def test_calls_one_at_a_time_need_one_thread(run):
    async def scenario(threads):
        for _ in range(20):
            await threads.call(int, ())
        return len(threads)

    assert run(scenario) == 1


def test_the_thread_that_was_busy_last_is_used_first(run):
    async def scenario(threads):
        first, second = Event(), Event()
        waiting = [threads.call(first.wait, ()), threads.call(second.wait, ())]
        first.set()
        await waiting[0]
        second.set()
        await waiting[1]
        return await threads.call(lambda: current_thread().name, ())

    assert run(scenario) == "offload_1"


def test_more_calls_than_threads_wait_in_their_order(run):
    async def scenario(threads):
        gate = Event()
        done: list[int] = []
        held = [threads.call(gate.wait, ()) for _ in range(2)]
        behind = [threads.call(done.append, (number,)) for number in range(10)]
        await asyncio.sleep(0.01)
        before = len(threads), list(done)
        held[0].cancel()
        gate.set()
        await asyncio.gather(held[1], *behind)
        return before, sorted(done)

    assert run(scenario) == ((2, []), list(range(10)))


def test_what_was_cancelled_while_it_waited_is_not_called(run):
    async def scenario(threads):
        gate = Event()
        done: list[int] = []
        held = [threads.call(gate.wait, ()) for _ in range(2)]
        behind = [threads.call(done.append, (number,)) for number in range(3)]
        behind[1].cancel()
        gate.set()
        await asyncio.gather(*held, behind[0], behind[2])
        return sorted(done)

    assert run(scenario) == [0, 2]


def test_what_was_cancelled_on_the_way_gives_its_thread_back(run):
    async def scenario(threads):
        gate = Event()
        held = threads.call(gate.wait, ())
        held.cancel()
        gate.set()
        other = [threads.call(int, ()) for _ in range(4)]
        return await asyncio.gather(*other)

    assert run(scenario) == [0] * 4


def test_the_end_waits_for_what_is_under_way_and_begins_nothing_more():
    done = []

    def slow(begun, gate):
        begun.set()
        gate.wait()
        done.append("slow")

    async def main():
        threads = OffloadThreads(asyncio.get_running_loop(), 1)
        begun, gate = Event(), Event()
        waiting = [threads.call(slow, (begun, gate)), threads.call(done.append, ("late",))]
        begun.wait()
        gate.set()
        threads.close()
        was = list(done)
        await asyncio.wait_for(waiting[0], 30)
        return was, [one.done() for one in waiting]

    with asyncio.Runner(loop_factory=DirectLoop) as runner:
        assert runner.run(main()) == (["slow"], [True, False])
    assert done == ["slow"]


def test_an_idle_thread_keeps_nothing_alive(run):
    class Thing:
        def use(self):
            return None

    async def scenario(threads):
        thing = Thing()
        known = weakref.ref(thing)
        await threads.call(thing.use, ())
        await threads.call(thing.use, ())
        del thing
        while known() is not None:  # the thread lets go of it a moment after it has handed back
            gc.collect()
            await asyncio.sleep(0.001)
        return True

    assert run(scenario)
