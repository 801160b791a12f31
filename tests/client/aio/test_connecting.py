"""A client on a program's own loop."""

from __future__ import annotations

import asyncio

import pytest

from moldau.client import TimedOutError, UnknownSettingError, UnknownTopicError, aio
from moldau.client.aio.connecting import NoLoopError
from tests.client.batches import data_batch


def test_a_table_is_read_on_a_loop(around, topic):
    around.make(topic, data_batch(0, 5), data_batch(5, 5))

    async def read():
        async with aio.connect(around.bootstrap) as connection:
            whole = await connection.read_table(topic)
            part = await connection.read_table(topic, start=3, end=7, columns="offset")
            return whole, part

    whole, part = asyncio.run(read())
    assert whole.num_rows == 10
    assert part.to_pydict() == {"offset": [3, 4, 5, 6]}


def test_nothing_runs_on_when_it_is_closed(around, topic):
    around.make(topic, *(data_batch(start, 5) for start in range(0, 100, 5)))

    async def read():
        async with aio.connect(around.bootstrap) as connection:
            reading = connection.read((topic, 0), 0, 100, max_bytes=1)
            await reading.take()
        return [task.get_name() for task in asyncio.all_tasks() - {asyncio.current_task()}]

    assert asyncio.run(read()) == []


def test_errors_come_as_in_the_blocking_face(around, topic):
    async def read(server, **settings):
        async with aio.connect(server, **settings) as connection:
            await connection.read_table(topic)

    with pytest.raises(UnknownTopicError, match=topic):
        asyncio.run(read(around.bootstrap))
    with pytest.raises(TimedOutError, match="connection refused"):
        asyncio.run(read("127.0.0.1:1", default_api_timeout_ms=200))
    with pytest.raises(UnknownSettingError, match="did you mean default_api_timeout_ms"):
        asyncio.run(read("127.0.0.1:1", default_api_timeout=200))


def test_without_a_loop_it_names_the_face_for_programs_without_one():
    with pytest.raises(NoLoopError, match=r"without a loop use moldau\.client\.connect"):
        aio.connect("127.0.0.1:1")
