"""Being asked to stop."""

import asyncio
import os
import signal

import pytest

from moldau.system.signals import on_stop


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_process_that_is_told_to_end_is_asked_instead(number):
    async def main():
        stopped = asyncio.Event()
        on_stop(stopped.set)
        os.kill(os.getpid(), number)
        await asyncio.wait_for(stopped.wait(), 10)

    asyncio.run(main())
