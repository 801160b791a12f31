"""A share consumer on a loop; what it does in full is tested through the blocking one."""

from __future__ import annotations

import asyncio

import pytest

from moldau.client import AsyncProducer, AsyncShareConsumer, ClosedError
from moldau.client.admin import AsyncAdmin


async def shared(around, topic, *values):
    """A topic with these records, which a share group of its name reads from the beginning."""
    async with AsyncAdmin(around.bootstrap) as admin:
        (await admin.create_topics(topic)).all()
        earliest = {"share.auto.offset.reset": "earliest"}
        (await admin.incremental_alter_configs({("group", topic): earliest})).all()
    async with AsyncProducer(around.bootstrap) as producer:
        for value in values:
            await producer.send_and_wait(topic, value)


def test_records_are_iterated_and_nothing_is_left_behind(around, topic):
    async def main():
        await shared(around, topic, b"one")
        async with AsyncShareConsumer(
            around.bootstrap, group_id=topic, value_deserializer="str"
        ) as consumer:
            consumer.subscribe(topic)
            assert consumer.subscription() == {topic}
            async for record in consumer:
                consumer.acknowledge(record)
                break
            assert len((await consumer.commit()).all()) == 1
            assert consumer.acquisition_lock_timeout_ms == 30_000
            assert around.bootstrap in repr(consumer)
            assert [batch async for batch in consumer.arrow(timeout=0.1)] == []
        assert asyncio.all_tasks() == {asyncio.current_task()}
        with pytest.raises(ClosedError):
            await consumer.poll()
        return record.value

    assert asyncio.run(main()) == "one"


def test_an_iteration_that_is_left_goes_on_where_it_was(around, topic):
    async def main():
        await shared(around, topic, *(b"%d" % number for number in range(10)))
        seen: list[int] = []
        async with AsyncShareConsumer(around.bootstrap, group_id=topic) as consumer:
            consumer.subscribe(topic)
            while len(seen) < 10:
                async for record in consumer:
                    seen.append(int(record.value))
                    if len(seen) % 3 == 0:
                        await consumer.commit()
                        break
                    if len(seen) == 10:
                        break
        return seen

    assert sorted(asyncio.run(main())) == list(range(10))
