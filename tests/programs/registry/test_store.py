"""Stores on the topic of a real node: what one has appended the others know before they append."""

from __future__ import annotations

import json

import pytest

from moldau.client import Consumer, ConsumerRecord, Producer, connect
from moldau.platform.system.randomness import SystemRandom
from moldau.platform.system.tasks import run
from moldau.programs.http.messages import HttpError
from moldau.programs.registry.highest_ids import HEADER
from moldau.programs.registry.parsing import Parser
from moldau.programs.registry.records import tombstone
from moldau.programs.registry.registering import Registrar, Registration
from moldau.programs.registry.state import RegistryState
from moldau.programs.registry.store import RegistryStore, StoreSettings
from moldau.schemas.levels import Level
from moldau.schemas.model import SchemaText
from tests.programs.registry.asked import record


async def opened(place, topic, tasks, **more):
    settings = StoreSettings(client={"bootstrap.servers": place}, topic=topic, **more)
    store = RegistryStore(settings, RegistryState(), tasks, SystemRandom())
    await store.start()
    return store


async def register(store, subject, text):
    registrar = Registrar(store.state, Parser(), Level.NONE)
    asked = Registration(subject, SchemaText(text))
    return (await store.write(lambda _state: registrar.register(asked))).id


def test_two_stores_that_write_by_turns_give_no_id_twice(place, topic):
    async def main(tasks):
        stores = [await opened(place, topic, tasks) for _ in range(2)]
        given = [
            await register(stores[number % 2], f"s{number}", record(f"f{number}"))
            for number in range(6)
        ]
        for store in stores:
            await store.read_to_end()
        known = [sorted(store.state.subjects) for store in stores]
        for store in stores:
            await store.close()
        return given, known

    given, known = run(main)
    assert given == [1, 2, 3, 4, 5, 6]
    assert known[0] == known[1] == [f"s{number}" for number in range(6)]


def test_two_stores_that_write_at_once_give_no_id_twice(place, topic):
    async def main(tasks):
        stores = [await opened(place, topic, tasks) for _ in range(2)]
        given = {}

        async def some(index):
            for number in range(4):
                subject = f"s{index}-{number}"
                given[subject] = await register(stores[index], subject, record(f"f{index}{number}"))

        writing = [tasks.spawn(f"writer {index}", some(index)) for index in range(2)]
        for task in writing:
            await task
        for store in stores:
            await store.close()
        return given

    assert sorted(run(main).values()) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_a_store_that_starts_knows_what_is_there_and_no_id_comes_back(place, topic):
    async def first(tasks):
        store = await opened(place, topic, tasks)
        await register(store, "s", record("a"))
        number = await register(store, "t", record("b"))
        await store.write(lambda _state: (None, [tombstone("t", 1)]))
        await store.close()
        return number

    async def second(tasks):
        store = await opened(place, topic, tasks)
        found = dict(store.state.subjects["s"]), "t" in store.state.subjects
        number = await register(store, "u", record("c"))
        await store.close()
        return *found, number

    assert run(first) == 2
    versions, has_other, number = run(second)
    assert (list(versions), has_other, number) == ([1], False, 3)
    assert last_record(place, topic)[2][HEADER] == b'{".": 3}'


def last_record(place, topic):
    with Consumer(place, isolation_level="read_committed") as consumer:
        consumer.assign((topic, 0))
        consumer.seek_to_beginning()
        found: list[ConsumerRecord] = []
        while not found:
            found = [one for one in consumer.poll(1.0) if json.loads(one.key).get("subject") == "u"]
    return found[-1].key, found[-1].value, dict(found[-1].headers)


def test_a_refusal_is_decided_on_what_others_have_written_too(place, topic):
    async def main(tasks):
        stores = [await opened(place, topic, tasks) for _ in range(2)]
        await register(stores[0], "s", record("a"))
        await register(stores[1], "t", record("a"))

        def delete(state):
            if "t" not in state.subjects:
                raise HttpError(404, "gone", 40401)
            return list(state.subjects["t"]), [tombstone("t", 1)]

        found = await stores[0].write(delete)
        with pytest.raises(HttpError):
            await stores[1].write(delete)
        for store in stores:
            await store.close()
        return found

    assert run(main) == [1]


def test_a_topic_with_several_partitions_is_refused_with_the_reason(place, topic):
    async def main(tasks):
        await opened(place, topic, tasks)

    with Producer(place) as producer:
        producer.send(topic, b"x").result()
    with connect(place) as connection:
        assert len(connection.partitions(topic)[topic]) == 2
    with pytest.raises(HttpError, match="has 2 partitions"):
        run(main)


def test_behind_the_last_transaction_stands_a_record_for_other_registries(place, topic):
    """Karapace waits for the record at the end, and no reader is shown a transaction's marker."""

    async def main(tasks):
        for is_writing in (True, False):
            store = await opened(place, topic, tasks)
            if is_writing:
                await register(store, "s", record("a"))
            await store.close()

    run(main)
    with Consumer(place, auto_offset_reset="earliest", enable_auto_commit=False) as consumer:
        consumer.assign(topic)
        (end,) = consumer.end_offsets(topic).values()
        found: list[ConsumerRecord] = []
        while not found or found[-1].offset < end - 1:
            found += consumer.poll(1)
    assert [(one.key, one.value) for one in found[1:]] == [(b'{"keytype":"NOOP","magic":0}', None)]
