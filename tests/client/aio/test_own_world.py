"""The real world on a loop of the program's own."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import pytest

from moldau.client.aio.consumer import AsyncConsumer
from moldau.client.aio.own_world import NoLoopError, OwnWorld
from moldau.client.aio.producer import AsyncProducer
from moldau.client.errors import OtherLoopError


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


NOWHERE = "127.0.0.1:1"


async def begun_producer() -> AsyncProducer:
    made = AsyncProducer(NOWHERE, max_block_ms=60_000)
    made.start()
    return made


async def begun_consumer() -> AsyncConsumer:
    made = AsyncConsumer(NOWHERE, group_id="g")
    made.start()
    return made


USES = [
    (begun_producer, lambda made: made.send_and_wait("t", b"v")),
    (begun_producer, lambda made: made.flush()),
    (begun_producer, lambda made: made.partitions("t")),
    (begun_producer, lambda made: made.close()),
    (begun_consumer, lambda made: made.subscribe("t")),
    (begun_consumer, lambda made: made.poll(0)),
    (begun_consumer, lambda made: made.close()),
]


def refusal(work: Callable[[], Coroutine[None, None, object]]) -> str:
    async def use() -> str:
        with pytest.raises(OtherLoopError) as caught:
            await work()
        return str(caught.value)

    return asyncio.run(use())


def used_late(begin: Callable[[], Coroutine[None, None, Any]], use: Callable[[Any], Any]) -> str:
    made = asyncio.run(begin())
    return refusal(lambda: use(made))


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize(("begin", "use"), USES)
def test_what_lived_on_a_loop_that_has_ended_says_so(begin, use):
    assert "has ended: make one on each loop" in used_late(begin, use)
    gc.collect()  # its warning belongs here


@pytest.mark.parametrize(("begin", "use"), USES[:3] + USES[4:6])
def test_another_thread_is_another_loop(begin, use):
    found: list[str] = []

    async def main() -> None:
        made = await begin()
        there = threading.Thread(target=lambda: found.append(refusal(lambda: use(made))))
        there.start()
        await asyncio.to_thread(there.join)
        await made.close(0.1)

    asyncio.run(main())
    assert "is not the one that runs here: make one on each loop, in each thread" in found[0]


def test_a_fork_leaves_the_loop_behind():
    async def main() -> int:
        made = await begun_producer()
        child: int = os.fork()
        if not child:
            try:
                made._own.world.ensure_here()  # type: ignore[union-attr]
            except OtherLoopError:
                os._exit(7)
            os._exit(1)
        await made.close(0.1)
        return child

    _, status = os.waitpid(asyncio.run(main()), 0)
    assert os.waitstatus_to_exitcode(status) == 7


def test_who_is_forgotten_open_is_warned_about_as_an_open_file_is():
    async def main() -> None:
        made = await begun_producer()
        del made

    def forget() -> None:
        asyncio.run(main())
        gc.collect()

    with pytest.warns(ResourceWarning, match="unclosed AsyncProducer"):
        forget()


def test_who_was_closed_is_not_warned_about(recwarn):
    async def main() -> None:
        async with AsyncProducer(NOWHERE):
            pass

    asyncio.run(main())
    gc.collect()
    assert [one for one in recwarn if one.category is ResourceWarning] == []
