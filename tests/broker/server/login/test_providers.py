"""Identity providers of a node, by their addresses."""

from __future__ import annotations

import pytest

from moldau.broker.server.login.providers import KeysAddress, Providers
from moldau.config.broker.settings import BrokerSettings
from moldau.errors import NetworkError
from moldau.network.outgoing.web import Web
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import run
from tests.judges.identity_provider import key_set, new_key
from tests.network.outgoing.scripted_web import URL, ScriptedWeb, answer


def result_of(scenario, *script):
    clock, server = SimulatedClock(), ScriptedWeb(*script)

    async def main(tasks):
        world = SimulatedWorld(tasks, SeededRandom(1))
        await server.open(world)
        web = Web(network=world.host("node"), tasks=tasks)
        return await scenario(web, Providers(SimulatedFiles(), clock, SeededRandom(1), web))

    return run(main, clock), len(server.asked)


def test_one_fetch_serves_all_listeners_with_the_same_address():
    async def scenario(web, providers):
        found = [providers.keys_of(f"{URL}/keys", BrokerSettings()) for _ in range(2)]
        await web.tasks.sleep(5000)
        providers.close()
        return found[0] is found[1], repr(found[0].keys), found[0].keys.has("first")

    keys = answer(key_set(new_key("first")))
    assert result_of(scenario, keys) == ((True, "KeySet(first)", True), 1)


def test_a_status_that_is_not_ok_is_an_error():
    async def scenario(web, providers):
        await KeysAddress(web, f"{URL}/keys").read()

    with pytest.raises(NetworkError, match="status 404"):
        result_of(scenario, answer(b"{}", "404 Not Found"))


def test_a_file_is_read_from_the_disk():
    async def scenario(web, providers):
        keys = providers.keys_of("file:///keys.json", BrokerSettings())
        await web.tasks.sleep(50)
        providers.close()
        return repr(keys).startswith("TokenKeys(KeysFile(/keys.json)")

    assert result_of(scenario) == (True, 0)
