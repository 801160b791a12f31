"""A program on a loop ends what a producer has prepared; librdkafka reads what was committed."""

from __future__ import annotations

import asyncio

import pytest

from moldau.client import AsyncProducer, AsyncTransactions, ClosedError, FencedError
from moldau.client.aio.own_world import NoLoopError
from tests.judges.moldau_node import MoldauNode
from tests.spark.sink.reading import read_committed
from tests.spark.topics import Topics

pytestmark = [pytest.mark.judge, pytest.mark.timeout(120)]


@pytest.fixture(scope="module")
def bootstrap(tmp_path_factory):
    node = MoldauNode(tmp_path_factory.mktemp("prepared"))
    node.start()
    yield node.bootstrap
    node.stop()


@pytest.fixture
def topic(bootstrap):
    topics = Topics(bootstrap)
    yield topics.make(1)
    topics.close()


async def prepared_by(bootstrap, topic):
    async with AsyncProducer(bootstrap, transactional_id=topic) as producer:
        await producer.begin_transaction()
        await producer.send(topic, b"one")
        return await producer.prepare_transaction()


def committed(bootstrap, topic):
    return [message.value() for message in read_committed(bootstrap, topic)]


def test_one_that_outlives_its_producer_is_committed(bootstrap, topic):
    async def commit():
        prepared = await prepared_by(bootstrap, topic)
        async with AsyncTransactions(bootstrap) as transactions:
            assert await transactions.open_names() == [topic]
            await transactions.end(prepared, commits=True)
            assert await transactions.open_names() == []

    asyncio.run(commit())
    assert committed(bootstrap, topic) == [b"one"]


def test_one_that_was_fenced_cannot_be_committed(bootstrap, topic):
    async def commit():
        prepared = await prepared_by(bootstrap, topic)
        async with AsyncTransactions(bootstrap) as transactions:
            await transactions.fence(topic)
            with pytest.raises(FencedError):
                await transactions.end(prepared, commits=True)

    asyncio.run(commit())
    assert committed(bootstrap, topic) == []


def test_after_its_end_it_does_nothing(bootstrap):
    async def use():
        async with AsyncTransactions(bootstrap) as transactions:
            pass
        with pytest.raises(ClosedError):
            await transactions.open_names()
        await transactions.close()

    asyncio.run(use())


def test_without_a_loop_the_blocking_one_is_named(bootstrap):
    with pytest.raises(NoLoopError, match=r"use moldau\.client\.Transactions"):
        AsyncTransactions(bootstrap).start()
