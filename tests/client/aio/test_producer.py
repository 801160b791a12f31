"""A producer on the program's own loop, with a node of ours."""

from __future__ import annotations

import asyncio

import pyarrow as pa
import pytest

import moldau
from moldau.client.aio.producer import AsyncProducer
from moldau.client.errors import (
    ClosedError,
    InvalidArgumentError,
    RecordTooLargeError,
    TransactionError,
    UnknownTopicError,
)
from moldau.client.sync.transactions import Transactions


def made(around, work, **settings: object):
    """What `work(producer)` comes to."""

    async def main():
        async with AsyncProducer(around.bootstrap, **settings) as producer:
            found = await work(producer)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return found

    return asyncio.run(main())


async def fail_inside(producer: AsyncProducer, topic: str) -> None:
    async with producer.transaction():
        await producer.send_and_wait(topic, b"gone")
        raise ZeroDivisionError


def read(around, topic, isolation="read_uncommitted", columns="value"):
    with around.connect() as connection:
        found = connection.read_table(topic, isolation=isolation, columns=columns)
        return found.to_pylist()


def test_a_record_arrives_with_all_that_it_has(around, topic):
    async def work(producer):
        delivery = await producer.send(topic, "v", key="k", timestamp=5, headers={"h": b"1"})
        return await delivery

    metadata = made(around, work)
    assert (metadata.topic, metadata.partition, metadata.offset) == (topic, 0, 0)
    assert metadata.timestamp == 5
    (found,) = read(around, topic, columns=("key", "value", "headers", "timestamp"))
    assert (found["key"], found["value"]) == (b"k", b"v")
    assert found["headers"] == [{"key": "h", "value": b"1"}]
    assert found["timestamp"].microsecond == 5000


def test_many_are_handed_over_at_once_and_each_has_its_own_fate(around, topic):
    records = [
        (b"k", b"a", 0, 5, (("h", None),)),
        (None, b"b", 7, None, ()),
        (None, b"x" * 2000, 0, None, ()),
        (None, b"c", 0, None, ()),
    ]

    async def work(producer):
        await producer.partitions(topic)
        first, *refused, last = await producer.send_each(topic, records)
        return await first, refused, await last

    first, refused, last = made(around, work, max_request_size=1000)
    assert (first.offset, first.timestamp, last.offset) == (0, 5, 1)
    assert [type(one) for one in refused] == [UnknownTopicError, RecordTooLargeError]
    assert [row["value"] for row in read(around, topic)] == [b"a", b"c"]


def test_many_that_find_no_room_wait_for_it_in_their_order(around, topic):
    records = [(None, b"%d" % number, 0, None, ()) for number in range(2000)]

    async def work(producer):
        deliveries = await producer.send_each(topic, records)
        return [(await one).offset for one in deliveries]

    offsets = made(around, work, batch_size=500, buffer_memory=20_000)
    assert offsets == list(range(2000))
    assert [int(row["value"]) for row in read(around, topic)] == offsets


def test_records_of_one_sender_keep_their_order(around, topic):
    async def work(producer):
        for number in range(3000):
            await producer.send(topic, b"%d" % number)
        await producer.flush()

    made(around, work, batch_size=500, buffer_memory=20_000)
    assert [int(row["value"]) for row in read(around, topic)] == list(range(3000))


def test_a_table_is_sent_whole(around, topic):
    table = pa.table({"value": [b"%d" % number for number in range(5000)]})

    async def work(producer):
        return await (await producer.send_arrow(topic, table))

    assert made(around, work, buffer_memory=100_000, compression_type="lz4") == 5000
    assert [int(row["value"]) for row in read(around, topic)] == list(range(5000))


def test_a_transaction_is_seen_whole_or_not_at_all(around, topic):
    async def work(producer):
        async with producer.transaction():
            assert (await producer.send_and_wait(topic, b"kept")).offset == 0
            await producer.send_offsets({(topic, 0): 7}, topic)
        with pytest.raises(ZeroDivisionError):
            await fail_inside(producer, topic)
        await producer.begin_transaction()
        await producer.send(topic, b"last")
        await producer.commit_transaction()
        await producer.begin_transaction()
        await producer.abort_transaction()

    made(around, work, transactional_id=topic)
    values = [row["value"] for row in read(around, topic, "read_committed")]
    assert values == [b"kept", b"last"]
    with around.connect() as connection:
        assert connection.committed(topic, [(topic, 0)]) == {(topic, 0): 7}


def test_what_cannot_be_meant_is_refused_before_it_is_sent(around):
    async def work(producer):
        for wrong in ({"partition": -4}, {"key": 5}, {"headers": "x"}):
            with pytest.raises(InvalidArgumentError):
                await producer.send("t", b"v", **wrong)

    made(around, work)


def test_one_that_was_closed_or_never_started_says_so(around):
    async def work(producer):
        await producer.close()
        with pytest.raises(ClosedError):
            await producer.send("t", b"v")

    made(around, work)
    with pytest.raises(ClosedError, match="the producer"):
        asyncio.run(AsyncProducer(around.bootstrap).send("t", b"v"))


def test_it_is_there_by_the_name_of_the_project():
    assert moldau.AsyncProducer is AsyncProducer


def test_a_transaction_is_prepared_on_a_loop_too_and_ended_by_another_program(around, topic):
    async def work(producer):
        await producer.begin_transaction()
        await producer.send(topic, b"one")
        return await producer.prepare_transaction()

    prepared = made(around, work, transactional_id=topic)
    with Transactions(around.bootstrap) as transactions:
        transactions.end(prepared, commits=True)
    assert read(around, topic, isolation="read_committed") == [{"value": b"one"}]


def test_a_record_that_was_refused_fails_its_transaction_on_a_loop_too(around, topic):
    async def work(producer):
        await producer.begin_transaction()
        await producer.send_and_wait(topic, b"one")
        with pytest.raises(RecordTooLargeError):
            await producer.send(topic, bytes(2000))
        with pytest.raises(TransactionError, match="has failed"):
            await producer.commit_transaction()
        await producer.abort_transaction()

    made(around, work, transactional_id=topic, max_request_size=1000)
    assert read(around, topic, isolation="read_committed") == []
