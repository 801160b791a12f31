"""Keys on the topic of a real node."""

from __future__ import annotations

from moldau.client import Admin
from moldau.platform.system.randomness import SystemRandom
from moldau.platform.system.tasks import run
from moldau.programs.registry.keys.deciding import create_kek
from moldau.programs.registry.keys.store import KeyStore
from moldau.programs.registry.store import StoreSettings

BODY = {"name": "k", "kmsType": "local-kms", "kmsKeyId": "one"}


def topics(place):
    with Admin(place) as admin:
        return set(admin.list_topics(internal=True))


def test_the_topic_is_there_from_the_first_question_on_and_all_registries_know_its_keys(
    place, topic
):
    settings = StoreSettings(client={"bootstrap.servers": place}, keys_topic=topic)

    async def main(tasks):
        stores = [KeyStore(settings, tasks, SystemRandom()) for _ in range(2)]
        before = topic in topics(place)
        known = await stores[1].known()
        assert known.keks == {}
        name = await stores[0].write(lambda state: create_kek(state, BODY))
        await stores[1].known(again=True)
        for store in stores:
            await store.close()
        return before, name, known.keks["k"].timestamp_ms

    before, name, timestamp_ms = run(main)
    assert (before, name) == (False, "k")
    assert topic in topics(place)
    assert timestamp_ms > 0
