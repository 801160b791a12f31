"""What is put on a fresh connection."""

from __future__ import annotations

from moldau.network.outgoing.peer import Peer
from moldau.network.outgoing.protection import PLAIN
from moldau.platform.ports.network import Address
from tests.client.aio.scripted_broker import PORT, ScriptedCluster, in_cluster

WHERE = Address("b1", PORT)


def test_a_plain_connection_stays_as_it_is_and_says_nothing():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1")
        made: list[Peer] = []

        def take_over(link):
            made.append(Peer(link, WHERE, None, cluster.tasks))
            return made[0]

        assert PLAIN.wrap(WHERE, take_over) is take_over
        await cluster.world.network.connect(WHERE, take_over)
        await PLAIN.authenticate(made[0])
        await cluster.tasks.sleep(10)
        return broker.asked

    assert in_cluster(main) == []
