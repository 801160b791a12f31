"""Clients are made when they are first used, and closed together."""

from moldau.platform.system.tasks import run
from moldau.programs.rest.clients import Clients


def test_clients_are_made_once_and_the_cluster_is_asked_once(place):
    async def main(tasks):
        clients = Clients({"bootstrap.servers": place})
        assert clients.admin is clients.admin
        assert clients.producer is clients.producer
        first = await clients.cluster_id()
        await clients.close()
        assert await clients.cluster_id() == first  # known, so nothing is asked
        await clients.close()

    run(main)
