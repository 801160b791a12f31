"""A consumer on the program's own loop, with a node of ours."""

from __future__ import annotations

import asyncio

import pytest

from moldau.client.aio.consumer import AsyncConsumer
from moldau.client.arguments.listening import RebalanceListener
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.errors import ClosedError
from moldau.client.sync.producer import Producer


@pytest.fixture
def filled(around, topic):
    with Producer(around.bootstrap) as producer:
        for number in range(300):
            producer.send(topic, b"%d" % number)
    return topic


def made(around, work, **settings: object):
    """What `work(consumer)` comes to."""

    async def main():
        settings.setdefault("auto_offset_reset", "earliest")
        async with AsyncConsumer(around.bootstrap, **settings) as consumer:
            found = await work(consumer)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return found

    return asyncio.run(main())


def test_records_are_read_one_after_another(around, filled):
    async def work(consumer):
        await consumer.assign(filled)
        found = []
        async for record in consumer:
            found.append(int(record.value))
            if len(found) == 300:
                break
        return found

    assert made(around, work) == list(range(300))


def test_batches_of_arrow_end_when_nothing_more_comes(around, filled):
    async def work(consumer):
        await consumer.assign([(filled, 0)])
        batches = [batch async for batch in consumer.arrow(timeout=0.5)]
        return [value for batch in batches for value in batch.column("value").to_pylist()]

    assert made(around, work) == [b"%d" % number for number in range(300)]


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_a_group_goes_on_where_it_was(around, filled, protocol):
    received = []

    class Listener(RebalanceListener):
        async def on_assigned(self, parts):
            received.append(("assigned", [part.partition for part in parts]))

    async def work(consumer):
        await consumer.subscribe(filled, listener=Listener())
        found: list[ConsumerRecord] = []
        while len(found) < 100:
            found += await consumer.consume(100 - len(found), 5.0)
        return [int(record.value) for record in found]

    settings = {"group_id": filled, "group_protocol": protocol}
    assert made(around, work, **settings) == list(range(100))
    assert made(around, work, **settings) == list(range(100, 200))
    assert received == [("assigned", [0])] * 2


def test_places_can_be_asked_for_and_changed(around, filled):
    async def work(consumer):
        await consumer.assign(filled)
        consumer.seek((filled, 0), 290)
        assert await consumer.position((filled, 0)) == 290
        assert await consumer.lag() == {(filled, 0): 10}
        assert await consumer.end_offsets(filled) == {(filled, 0): 300}
        assert await consumer.beginning_offsets(filled) == {(filled, 0): 0}
        consumer.pause()
        assert consumer.paused() == consumer.assignment()
        consumer.resume()
        consumer.seek_to_end()
        assert await consumer.poll(0.2) == []
        consumer.seek_to_time(0)
        return (await consumer.poll(10))[0].offset

    assert made(around, work) == 0


def test_one_that_was_closed_says_so(around):
    async def work(consumer):
        await consumer.close()
        with pytest.raises(ClosedError, match="the consumer"):
            await consumer.poll()

    made(around, work)
