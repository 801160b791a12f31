"""Being asked to stop."""

import asyncio
import os
import signal

import pytest

from moldau.platform.system.signals import on_stop, until_stopped


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_process_that_is_to_end_is_asked_instead(number):
    async def main():
        stopped = asyncio.Event()
        on_stop(stopped.set)
        os.kill(os.getpid(), number)
        await asyncio.wait_for(stopped.wait(), 10)

    asyncio.run(main())


def test_work_ends_when_the_process_is_to_end_and_puts_away_what_it_has_begun():
    events = []

    async def work():
        os.kill(os.getpid(), signal.SIGINT)
        try:
            await asyncio.sleep(60)
        finally:
            os.kill(os.getpid(), signal.SIGINT)  # the impatient press it twice
            await asyncio.sleep(0.05)
            events.append("put away")

    async def main():
        done = await until_stopped(work(), lambda: events.append("afterwards"))
        await asyncio.sleep(0)
        return done

    assert asyncio.run(main()) is False
    assert events == ["put away"]


def test_a_signal_once_the_work_is_done_is_reported():
    async def main():
        stopped = asyncio.Event()
        assert await until_stopped(asyncio.sleep(0), stopped.set)
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(stopped.wait(), 10)

    asyncio.run(main())


def test_work_that_its_caller_cancels_is_cancelled():
    async def main():
        await until_stopped(asyncio.sleep(60), lambda: None)

    async def cancelled():
        task = asyncio.create_task(main())
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())
