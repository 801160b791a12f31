"""What runs a share consumer."""

from __future__ import annotations

import asyncio

import pytest

from moldau.client import AsyncShareConsumer
from moldau.client.errors import ClosedError, InvalidArgumentError


def shared(around, group, work, **settings):
    async def main():
        async with AsyncShareConsumer(around.bootstrap, group_id=group, **settings) as consumer:
            return await work(consumer)

    return asyncio.run(main())


def test_it_reads_nothing_before_it_is_subscribed(around, topic):
    async def work(consumer):
        with pytest.raises(InvalidArgumentError, match="subscribe it to topics"):
            await consumer.poll()

    shared(around, topic, work)


def test_a_poll_ends_with_its_time_where_nothing_comes(around, topic):
    async def work(consumer):
        consumer.subscribe(topic)
        return await consumer.poll(0.1)

    assert shared(around, topic, work) == []


def test_closing_twice_does_nothing_and_then_it_is_closed(around, topic):
    async def work(consumer):
        inner = consumer._inner
        await inner.close(1000)
        await inner.close(1000)
        with pytest.raises(ClosedError):
            await inner.poll(0)

    shared(around, topic, work)
