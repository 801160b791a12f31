"""The whole of it, by HTTP."""

from __future__ import annotations

import http.client
import json

from moldau.platform.ports.network import Address
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.randomness import SystemRandom
from moldau.platform.system.tasks import run
from moldau.programs.registry.service import RegistryService
from moldau.programs.registry.store import StoreSettings
from tests.programs.registry.asked import record


def ask(address, method, path, body=None):
    link = http.client.HTTPConnection(address.host, address.port, timeout=60)
    data = None if body is None else json.dumps(body)
    link.request(method, path, data, {"Content-Type": "application/json"})
    answer = link.getresponse()
    found = answer.status, json.loads(answer.read())
    link.close()
    return found


def test_what_was_registered_is_there_after_a_new_start(place, topic):
    async def main(tasks):
        network = SystemNetwork()
        settings = StoreSettings(client={"bootstrap.servers": place}, topic=topic)

        async def served(*call):
            service = RegistryService(settings, network, tasks, SystemClock(), SystemRandom())
            await service.start(Address("127.0.0.1", 0))
            found = await tasks.offload(ask, service.address, *call)
            await service.stop()
            return found

        body = {"schema": record("a")}
        first = await served("POST", "/subjects/s/versions", body)
        second = await served("GET", "/subjects/s/versions/1")
        third = await served("DELETE", "/subjects/t")
        network.close()
        return first, second, third

    first, second, third = run(main)
    assert (first[0], second[0], third[0]) == (200, 200, 404)
    assert (first[1]["id"], second[1]["id"], third[1]["error_code"]) == (1, 1, 40401)
