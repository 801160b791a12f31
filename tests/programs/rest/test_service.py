"""A proxy that starts, stops, and has a cluster or none."""

import pytest

from moldau.client.errors import ClientError
from moldau.client.schemas.settings import registry_settings
from moldau.platform.ports.network import Address
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.randomness import SystemRandom
from moldau.platform.system.tasks import run
from moldau.programs.http.messages import HttpError
from moldau.programs.registry.logins import Kind, Login
from moldau.programs.rest.refusals import Refusal
from moldau.programs.rest.schemas import Wanted
from moldau.programs.rest.service import RestService, schemas_of

HERE = Address("127.0.0.1", 0)


def started(client):
    async def main(tasks):
        network = SystemNetwork()
        service = RestService(client, network, tasks, SystemClock(), SystemRandom())
        try:
            await service.start(HERE)
            return service.address.port
        finally:
            await service.stop()
            network.close()

    return run(main)


def test_it_serves_as_soon_as_its_cluster_answers(place):
    assert started({"bootstrap.servers": place}) > 0


def test_without_a_cluster_it_does_not_start():
    nowhere = {
        "bootstrap.servers": "127.0.0.1:1",
        "default.api.timeout.ms": "1000",
        "request.timeout.ms": "500",
    }
    with pytest.raises(ClientError, match=r"127\.0\.0\.1:1"):
        started(nowhere)


def test_a_delegation_token_is_not_shown_to_a_registry():
    """A registry would be given what logs in to the cluster."""

    async def main(tasks):
        network = SystemNetwork()
        login = Login("token-id", "hmac", Kind.DELEGATED)
        registry = registry_settings("http://127.0.0.1:1")
        try:
            await schemas_of(login, registry, network, tasks).writer(Wanted("t", is_key=False))
        except HttpError as error:
            return error.code, str(error)
        finally:
            network.close()

    code, message = run(main)
    assert (code, "log in with a password or a token" in message) == (Refusal.INVALID_PAYLOAD, True)
