"""What all calls of an asynchronous admin client share."""

from __future__ import annotations

import asyncio

import pytest

from moldau.client import ClosedError, TimedOutError
from moldau.client.admin import AsyncAdmin
from moldau.client.aio.own_world import NoLoopError


def asked(around, work):
    """What `work(admin)` comes to; nothing is left behind."""

    async def main():
        async with AsyncAdmin(around.bootstrap) as admin:
            found = await work(admin)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return found

    return asyncio.run(main())


def test_it_leaves_nothing_behind_and_says_what_it_is(around):
    async def work(admin):
        await admin.describe_cluster()
        return repr(admin)

    assert asked(around, work) == f"<AsyncAdmin of {around.bootstrap}>"


def test_it_says_that_it_is_not_open(around):
    async def work(admin):
        await admin.close()
        with pytest.raises(ClosedError, match="the admin client"):
            await admin.describe_cluster()

    asked(around, work)
    with pytest.raises(NoLoopError):
        AsyncAdmin(around.bootstrap).start()


def test_a_call_has_its_own_time_where_it_is_given_one():
    async def main():
        async with AsyncAdmin("127.0.0.1:1") as admin:
            await admin.within(0.05).describe_cluster()

    with pytest.raises(TimedOutError, match="after 50 ms"):
        asyncio.run(main())
