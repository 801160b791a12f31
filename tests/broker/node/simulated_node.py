"""A whole node in a simulated world: virtual disk, virtual network, virtual time."""

from __future__ import annotations

from typing import Any

from moldau.broker.node.defaults import alone
from moldau.broker.node.node import Node
from moldau.broker.node.server_properties import node_settings
from moldau.broker.node.storage import format_alone
from moldau.broker.node.world import NodeWorld
from moldau.platform.ports.network import Address
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.wire.frame import SIZE_BYTES
from tests.broker.server.asking import answers_in, frame_of
from tests.network.conversation import Client

HOST = "broker"


class Machine:
    """One world, in which nodes may start on one disk after the other."""

    def __init__(self, tasks, clock, seed, files=None):
        self.tasks = tasks
        self.clock = clock
        self.network = SimulatedWorld(tasks, SeededRandom(seed))
        self.files = files or SimulatedFiles()
        self._random = SeededRandom(seed + 1)

    def world(self):
        return NodeWorld(
            files=self.files,
            network=self.network.host(HOST),
            clock=self.clock,
            random=self._random,
            tasks=self.tasks,
        )

    def node(self, **settings):
        """A node on the disk, formatted if it was not yet."""
        given = {key.replace("_", "."): str(value) for key, value in settings.items()}
        world = self.world()
        chosen = node_settings(alone("data", host=HOST), given)
        format_alone(world, chosen)
        return Node(chosen, world)

    async def connect(self, node, listener="PLAINTEXT"):
        clients = []

        def own(link):
            clients.append(Client(link))
            return clients[0]

        place = Address(HOST, node.addresses[listener].port)
        await self.network.host("client").connect(place, own)
        return clients[0]

    async def ask(self, client, request, version):
        """The response to one request."""
        client.received.clear()
        client.say(frame_of(request, version))
        while not is_whole(client.received):
            assert not client.is_over, "the node closed the connection"
            await self.tasks.sleep(1)
        ((_, response),) = answers_in(client.received, request.KEY, version)
        return response


def world_of(files: Any, clock: Any = None, network: Any = None, tasks: Any = None) -> NodeWorld:
    """A world for parts that need only some of it."""
    return NodeWorld(
        files=files,
        network=network,
        clock=clock or SimulatedClock(),
        random=SeededRandom(1),
        tasks=tasks,
    )


def is_whole(received):
    return len(received) >= SIZE_BYTES + int.from_bytes(received[:SIZE_BYTES], "big") > SIZE_BYTES


def run(main, seed=1, files=None):
    """Run `main(machine)` in a world from this seed."""
    clock = SimulatedClock()

    async def begin(tasks):
        return await main(Machine(tasks, clock, seed, files))

    return simulated_tasks.run(begin, clock)
