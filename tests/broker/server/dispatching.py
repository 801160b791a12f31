"""A client that is connected to a dispatcher, in a simulated world."""

from __future__ import annotations

from moldau.broker.server.apis import BROKER, handler_of
from moldau.broker.server.dispatch import Dispatcher
from moldau.network.connection import Connection
from moldau.network.receiving import Receiving
from moldau.platform.ports.network import Address
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from tests.broker.server.asking import broker_with
from tests.network.conversation import Client

ASK = ApiVersionsRequest(client_software_name="a", client_software_version="1")
ANSWER = ApiVersionsResponse(error_code=0, api_keys=[], throttle_time_ms=0)


def converse(main, handler=None, find_handler=handler_of):
    """Run `main(tasks, client, dispatcher)` with a client that is connected to a dispatcher."""
    clock = SimulatedClock()

    async def begin(tasks):
        network = SimulatedWorld(tasks, SeededRandom(1)).host("here")
        find = find_handler if handler is None else lambda key, module: handler
        dispatcher = Dispatcher(BROKER, find)
        broker = broker_with(tasks=tasks)
        broker.clock = clock
        dispatcher.serve(broker)
        receiving = Receiving(clock, tasks)
        listener = await network.listen(
            Address("here", 0),
            lambda link: Connection(link, receiving, dispatcher.handle, lambda gone: None),
        )
        clients = []

        def own(link):
            clients.append(Client(link))
            return clients[0]

        await network.connect(listener.address, own)
        await main(tasks, clients[0], dispatcher)
        await tasks.sleep(50)

        return clients[0], dispatcher

    return simulated_tasks.run(begin, clock)


def saying(*frames):
    async def main(tasks, client, dispatcher):
        client.say(*frames)

    return main
