"""A store's clients have its settings, and the producer has begun under the id that fences."""

from __future__ import annotations

from moldau.platform.system.tasks import run
from moldau.programs.registry.clients import StoreClients

PLACE = "127.0.0.1:1"


def test_each_client_has_the_settings_and_the_producer_the_id():
    async def main(tasks):
        clients = StoreClients({"bootstrap.servers": PLACE, "client.id": "store"})
        producer, connection = clients.producer("fence"), clients.connection()
        given = producer.settings.client_id, connection.settings.client_id
        transactional_id = producer.settings.transactional_id
        await producer.close(0)
        await connection.__aexit__(None, None, None)
        return given, transactional_id

    assert run(main) == (("store", "store"), "fence")
