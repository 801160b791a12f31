"""A simulated link under all that may befall its ways."""

from __future__ import annotations

import pytest

from moldau.platform.ports.network import Address
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from tests.platform.ports.both_networks import Owner

SERVER = Address("server", 9092)
STEPS = 60
ABORTS = 0.02
"""How often an abort happens when it might: seldom, or nothing else would."""


def meddle(world, random, client, server):
    """One thing that may happen at any moment."""
    source, target = ("client", "server") if random.random() < 0.5 else ("server", "client")
    things = (
        lambda: world.cut(source, target),
        lambda: world.heal(source, target),
        server.link.pause,
        server.link.resume,
        lambda: client.link.abort() if random.random() < ABORTS else None,
    )
    things[random.randrange(0, len(things))]()


def run(seed):
    """Send while the link is meddled with; what was sent, and the two ends once all is healed."""
    random = SeededRandom(seed)
    sent = bytearray()

    async def main(tasks):
        world = SimulatedWorld(tasks, random)
        owners = []

        def take_over(link):
            owners.append(Owner(tasks, link))
            return owners[-1]

        await world.host("server").listen(SERVER, take_over)
        await world.host("client").connect(SERVER, take_over)
        server, client = owners
        for _ in range(STEPS):
            if not client.reasons:
                piece = random.randbytes(random.randrange(1, 20_000))
                client.link.send(piece)
                sent.extend(piece)
            meddle(world, random, client, server)
            await tasks.sleep(random.random())
        for way in (("client", "server"), ("server", "client")):
            world.heal(*way)
        server.link.resume()
        client.link.close()
        await tasks.sleep(60_000)
        return client, server

    client, server = simulated_tasks.run(main)
    return bytes(sent), client, server


@pytest.mark.simulation
def test_what_arrives_is_what_was_sent_or_the_beginning_of_it(seed, volume):
    for number in range(volume(50, 2_000)):
        sent, client, server = run(seed + number)
        aborted = client.reasons == ["aborted here"]
        assert aborted or server.received == sent, f"seed {seed + number}"
        assert sent.startswith(server.received), f"seed {seed + number}"
        assert len(client.reasons) == len(server.reasons) == 1, f"seed {seed + number}"
