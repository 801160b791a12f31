"""Two owners at the ends of a connection, and the worlds in which it may be."""

from __future__ import annotations

from moldau.platform.ports.network import Address
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system import tasks as system_tasks
from moldau.platform.system.network import SystemNetwork

HERE = "127.0.0.1"


class Owner:
    """Keeps all that a link reports, and settles promises that a test may wait for."""

    def __init__(self, tasks, link):
        self.link = link
        self.received = bytearray()
        self.reasons = []
        self.is_over = tasks.promise()
        self.is_drained = tasks.promise()
        self._buffer = bytearray(64 * 1024)

    def read_at_most(self, size):
        self._buffer = bytearray(size)

    def readable(self):
        self.received += self._buffer[: self.link.receive_into(self._buffer)]

    def all_sent(self):
        self.is_drained.keep(None)

    def lost(self, reason):
        self.reasons.append(reason)
        self.is_over.keep(reason)


async def pair(tasks, network):
    """The owners of the two ends of one connection: who called, and who was called."""
    called = []

    def take_over(link):
        called.append(Owner(tasks, link))
        return called[-1]

    listener = await network.listen(Address(HERE, 0), take_over)
    caller = await call(tasks, network, listener.address)
    while not called:
        await tasks.sleep(1)
    return caller, called[0]


async def call(tasks, network, address):
    """The owner of a new connection to that address."""
    callers = []

    def take_over(link):
        callers.append(Owner(tasks, link))
        return callers[0]

    await network.connect(address, take_over)
    return callers[0]


def in_system(main):
    """Run `main(tasks, network)` on the machine's own network."""

    async def begin(tasks):
        network = SystemNetwork()
        try:
            return await main(tasks, network)
        finally:
            network.close()

    return system_tasks.run(begin)


class ProtectedNetwork:
    """A network on which every link is protected by TLS, as a test of links may take it."""

    def __init__(self, network, server, client):
        self.below = network
        self._server = server
        self._client = client
        self.failures = []

    async def listen(self, address, take_over):
        taking_over = self._server.serve(take_over, self._failed)
        return await self.below.listen(address, taking_over)

    async def connect(self, address, take_over):
        return await self.below.connect(address, self._client.call(address.host, take_over))

    def _failed(self, peer, reason):
        self.failures.append(reason)


def in_protected_system(main, server_terms, client_terms):
    """Run `main(tasks, network)` on the machine's own network, protected by these terms."""

    async def protected(tasks, network):
        server = network.tls(server_terms, is_server=True)
        client = network.tls(client_terms, is_server=False)
        return await main(tasks, ProtectedNetwork(network, server, client))

    return in_system(protected)


def in_simulation(main, seed):
    """Run `main(tasks, network)` in a simulated world."""

    async def begin(tasks):
        return await main(tasks, SimulatedWorld(tasks, SeededRandom(seed)).host(HERE))

    return simulated_tasks.run(begin)
