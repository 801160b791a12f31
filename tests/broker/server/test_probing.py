"""Whether a broker's process has ended."""

from __future__ import annotations

from typing import Any

from moldau.broker.metadata.cluster import BrokerState, Endpoint
from moldau.broker.server.probing import TRIES, all_refuse, count_refusing
from moldau.platform.ports.network import Address
from tests.client.aio.scripted_broker import PORT, ScriptedCluster, in_cluster


class Ending:
    """Accepts connections and closes them, as the system does for a process that ends."""

    listener: Any

    def __init__(self, network, count):
        self.left = count
        self._network = network

    async def open(self):
        self.listener = await self._network.listen(Address("", PORT), self.take_over)

    def take_over(self, link):
        link.abort()
        self.left -= 1
        if not self.left:
            self.listener.close()
        return self

    def readable(self): ...

    def all_sent(self): ...

    def lost(self, reason): ...


def refuses(happens=None):
    """What is found where this has happened to the host."""

    async def main(cluster: ScriptedCluster):
        host = cluster.around.host("b2")
        if happens is not None:
            await happens(cluster, host)
        ends = {"PLAINTEXT": Endpoint("PLAINTEXT", "b2", PORT, 0)}
        broker = BrokerState(2, 5, bytes(16), ends)
        return await all_refuse(cluster.world.network, cluster.tasks, broker)

    return in_cluster(main)


def test_a_port_without_a_listener_refuses():
    assert refuses()


def test_a_port_with_a_process_does_not():
    async def happens(cluster, host):
        await cluster.broker("b2")

    assert not refuses(happens)


def test_a_host_that_is_cut_off_does_not():
    async def happens(cluster, host):
        cluster.around.cut("client", "b2")

    assert not refuses(happens)


def test_a_process_that_ends_may_still_have_a_connection_accepted():
    async def happens(cluster, host):
        await Ending(host, 1).open()

    assert refuses(happens)


def test_a_process_that_closes_every_connection_is_there():
    async def happens(cluster, host):
        await Ending(host, TRIES + 1).open()

    assert not refuses(happens)


def test_the_places_that_refuse_are_counted():
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b2")
        for name in ("b1", "b3"):
            cluster.around.host(name)
        places = [Address(name, PORT) for name in ("b1", "b2", "b3")]
        return await count_refusing(cluster.world.network, cluster.tasks, places)

    assert in_cluster(main) == 2
