"""A registry of ours in a simulated world, and its blocking client there."""

from __future__ import annotations

from moldau.client.schemas.calls import RegistryCalls
from moldau.client.schemas.registry import RegistryClient
from moldau.client.schemas.settings import registry_settings
from moldau.platform.ports.network import Address
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import run
from moldau.programs.http.routes import Router
from moldau.programs.http.server import HttpServer
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.api.table import registry_routes
from moldau.schemas.levels import Level
from tests.programs.registry.asked import ListKeys, ListStore

HOST, PORT = "registry", 8081
URL = f"http://{HOST}:{PORT}"


class SimulatedRegistry(RegistryClient):
    """What it is asked for runs in a world of its own; what was registered stays."""

    def __init__(self, where=URL):
        super().__init__(registry_settings(where))
        self.store = ListStore()
        self.keys = ListKeys()
        self.asked = 0

    def ask(self, work):
        self.asked += 1
        return run(lambda tasks: self._run(tasks, work), SimulatedClock())

    async def _run(self, tasks, work):
        world = SimulatedWorld(tasks, SeededRandom(1))
        scope = Scope(self.store, Level.BACKWARD, SeededRandom(7))
        routes = registry_routes(scope, self.keys, "cluster", "group")
        server = HttpServer(Router(routes), tasks, SimulatedClock())
        await server.open(world.host(HOST), Address("", PORT))
        found = await work(RegistryCalls(self.settings, world.host("client"), tasks))
        server.close()
        return found
