"""What befalls connections in the simulated world, and only there."""

from __future__ import annotations

import pytest

from moldau.platform.ports.network import Address
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom

SERVER = Address("server", 9092)
LONG_MS = 60_000


class Owner:
    def __init__(self, link):
        self.link = link
        self.received = b""
        self.reasons = []

    def readable(self):
        buffer = bytearray(1024)
        self.received += buffer[: self.link.receive_into(buffer)]

    def all_sent(self):
        pass

    def lost(self, reason):
        self.reasons.append(reason)


@pytest.fixture
def run(seed):
    """Runs `main(tasks, world, client, server)` with a connection between these two owners."""

    def run_connected(main, chosen_seed=seed):
        async def begin(tasks):
            world = SimulatedWorld(tasks, SeededRandom(chosen_seed))
            owners = []

            def take_over(link):
                owners.append(Owner(link))
                return owners[-1]

            await world.host("server").listen(SERVER, take_over)
            await world.host("client").connect(SERVER, take_over)
            server, client = owners
            return await main(tasks, world, client, server)

        return simulated_tasks.run(begin)

    return run_connected


def test_a_cut_holds_bytes_and_healing_brings_them_in_order(run):
    async def main(tasks, world, client, server):
        client.link.send(b"one ")
        world.cut("client", "server")
        client.link.send(b"two ")
        await tasks.sleep(LONG_MS)
        held = server.received
        client.link.send(b"three")
        world.heal("client", "server")
        await tasks.sleep(LONG_MS)
        return held, server.received

    assert run(main) == (b"", b"one two three")


def test_the_other_direction_of_a_cut_goes_on(run):
    async def main(tasks, world, client, server):
        world.cut("client", "server")
        server.link.send(b"still here")
        await tasks.sleep(LONG_MS)
        return client.received

    assert run(main) == b"still here"


def test_a_crash_is_reported_to_the_peers(run):
    async def main(tasks, world, client, server):
        world.crash("server")
        await tasks.sleep(LONG_MS)
        return client.reasons

    assert run(main) == ["connection reset by peer"]


def test_a_crash_behind_a_cut_learns_when_it_heals(run):
    async def main(tasks, world, client, server):
        world.cut("server", "client")
        world.crash("server")
        await tasks.sleep(LONG_MS)
        before = list(client.reasons)
        world.heal("server", "client")
        await tasks.sleep(LONG_MS)
        return before, client.reasons

    assert run(main) == ([], ["connection reset by peer"])


def test_a_power_cut_leaves_the_peer_half_open_until_it_speaks(run):
    async def main(tasks, world, client, server):
        world.vanish("server")
        await tasks.sleep(LONG_MS)
        before = list(client.reasons)
        client.link.send(b"are you there?")
        await tasks.sleep(LONG_MS)
        return before, client.reasons, server.reasons

    assert run(main) == ([], ["connection reset by peer"], [])


def test_no_answer_comes_from_behind_a_cut(run):
    async def main(tasks, world, client, server):
        world.cut("server", "client")
        async with tasks.deadline(LONG_MS):
            await world.host("client").connect(SERVER, Owner)

    with pytest.raises(TimeoutError):
        run(main)


def test_a_host_listens_only_on_addresses_of_its_own(run):
    async def main(tasks, world, client, server):
        await world.host("client").listen(Address("server", 1), Owner)

    with pytest.raises(Exception, match="cannot assign requested address"):
        run(main)


def test_the_same_seed_takes_the_same_time(run, seed):
    async def main(tasks, world, client, server):
        started = tasks._loop.time()
        client.link.send(b"x" * 1_000_000)
        while len(server.received) < 1_000_000:
            await tasks.sleep(0.1)
        return tasks._loop.time() - started

    assert run(main) == run(main)
    assert any(run(main) != run(main, seed + more) for more in range(1, 9))
