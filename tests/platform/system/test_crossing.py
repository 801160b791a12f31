"""From many threads to one loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from moldau.platform.system.direct_loop import DirectLoop

THREADS, EACH = 4, 500


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():  # noqa: ASYNC110 - turns of the loop are what is looked at
        await asyncio.sleep(0)


def on_loop(main):
    with asyncio.Runner(loop_factory=DirectLoop) as runner:
        return runner.run(main(runner.get_loop()))


def test_what_threads_post_is_called_on_the_loop_in_the_order_of_each():
    called: dict[int, list[int]] = {thread: [] for thread in range(THREADS)}
    names = set()

    async def main(loop):
        def take(thread: int, number: int) -> None:
            names.add(threading.current_thread().name)
            called[thread].append(number)

        def post(thread: int) -> None:
            for number in range(EACH):
                loop.post(lambda number=number: take(thread, number))

        await asyncio.gather(*(asyncio.to_thread(post, thread) for thread in called))
        await until(lambda: sum(map(len, called.values())) == THREADS * EACH)

    on_loop(main)
    assert all(numbers == list(range(EACH)) for numbers in called.values())
    assert names == {threading.current_thread().name}


def test_a_loop_that_waits_is_woken():
    async def main(loop):
        done = asyncio.Event()
        thread = threading.Timer(0.01, lambda: loop.post(done.set))
        thread.start()
        await asyncio.wait_for(done.wait(), 30)
        thread.join()

    on_loop(main)


def test_what_an_action_posts_has_the_next_turn():
    order: list[str] = []

    async def main(loop):
        def again() -> None:
            order.append("posted")
            if len(order) < 4:
                loop.post(again)
                loop.call_soon(order.append, "between")

        loop.post(again)
        await until(lambda: len(order) >= 5)

    on_loop(main)
    assert order[:4] == ["posted", "between", "posted", "between"]


def test_one_that_fails_is_reported_and_the_others_are_called():
    reported, called = [], []

    def fail() -> None:
        raise ValueError("so it is")

    async def main(loop):
        loop.set_exception_handler(lambda _, context: reported.append(context["exception"]))
        for action in (fail, lambda: called.append(1), fail, lambda: called.append(2)):
            loop.post(action)
        await until(lambda: len(called) == len(reported) == 2)

    on_loop(main)
    assert called == [1, 2]
    assert [str(error) for error in reported] == ["so it is", "so it is"]


def test_after_the_end_nothing_is_posted():
    loop = DirectLoop()
    loop.close()
    loop.close()
    with pytest.raises(ValueError, match="closed"):
        loop.post(print)
