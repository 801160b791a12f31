"""Only waiting counts as waiting."""

from __future__ import annotations

import asyncio
import time

from moldau.platform.system.measured_loop import MeasuredLoop
from moldau.platform.system.tasks import SystemTasks, run

MS = 1_000_000


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


def test_on_a_loop_of_somebody_else_nobody_measures():
    async def main():
        return SystemTasks(owns_loop=False).waited_ns()

    assert asyncio.run(main()) is None
    with asyncio.Runner(loop_factory=MeasuredLoop) as runner:
        assert runner.run(main()) is not None
