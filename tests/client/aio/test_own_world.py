"""The real world on a loop of the program's own."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from moldau.client.aio.own_world import NoLoopError, OwnWorld


def test_without_a_loop_there_is_none():
    with pytest.raises(NoLoopError, match=r"use moldau\.Producer"):
        OwnWorld("AsyncProducer", "moldau.Producer")


def test_closing_it_ends_its_tasks():
    async def main() -> list[str]:
        own = OwnWorld("x", "y")
        own.world.tasks.spawn("sleeper", own.world.tasks.sleep(1e9))
        await own.close()
        return own.world.tasks.running()

    assert asyncio.run(main()) == []


def test_the_failure_of_a_task_is_raised():
    async def fail() -> None:
        raise ValueError("broken")

    async def main() -> None:
        own = OwnWorld("x", "y")
        own.world.tasks.spawn("failing", fail())
        with suppress(asyncio.CancelledError):
            await own.world.tasks.sleep(1000)
        await own.close()

    with pytest.raises(ValueError, match="broken"):
        asyncio.run(main())
