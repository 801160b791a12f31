"""Opening a connection."""

from __future__ import annotations

import pytest

from moldau.errors import NetworkError
from moldau.network.outgoing.dialer import Dialer
from moldau.network.outgoing.peer import Peer
from moldau.platform.ports.network import Address, TakeOver
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.wire.versions import Versions
from tests.client.aio.scripted_broker import PORT, SPOKEN, ScriptedCluster, in_cluster

WHERE = Address("b1", PORT)


def dialer(cluster: ScriptedCluster, **more: object) -> Dialer:
    return Dialer(network=cluster.world.network, tasks=cluster.tasks, **more)  # type: ignore[arg-type]


class Noting:
    """Protects nothing, and notes when it was asked to."""

    doubt = ""

    def __init__(self) -> None:
        self.noted: list[str] = []

    def wrap(self, address: Address, take_over: TakeOver) -> TakeOver:
        self.noted.append(f"wrapped {address}")
        return take_over

    async def authenticate(self, peer: Peer) -> None:
        self.noted.append(f"authenticated {peer.address}")


def test_what_the_other_node_understands_comes_with_the_connection():
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1")
        way = await dialer(cluster).dial(WHERE)
        return way.spoken[1]

    assert in_cluster(main) == Versions(4, SPOKEN)


def test_a_connection_is_protected_before_anything_is_asked():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1")
        broker.script.clear()
        noting = Noting()
        with pytest.raises(NetworkError):
            await dialer(cluster, protection=noting, request_timeout_ms=50).dial(WHERE)
        return noting.noted, [type(asked) for asked in broker.asked]

    steps = ["wrapped b1:9092", "authenticated b1:9092"]
    assert in_cluster(main) == (steps, [ApiVersionsRequest])


def test_a_peer_without_versions_of_ours_loses_the_connection():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1")
        broker.script.clear()
        with pytest.raises(NetworkError, match=r"no answer within 50 ms \(request.timeout.ms\)"):
            await dialer(cluster, request_timeout_ms=50).dial(WHERE)
        await cluster.tasks.sleep(10)
        return len(broker.links), broker.lost

    assert in_cluster(main) == (1, 1)


def test_an_address_without_a_listener_is_reported_at_once():
    async def main(cluster: ScriptedCluster):
        cluster.around.host("b1")
        with pytest.raises(NetworkError, match="b1:9092"):
            await dialer(cluster).dial(WHERE)

    in_cluster(main)


def test_a_host_that_says_nothing_is_waited_for_in_vain():
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1")
        cluster.around.cut("client", "b1")
        with pytest.raises(NetworkError, match=r"no connection within 70 ms \(socket\.conn"):
            await dialer(cluster, setup_timeout_ms=70).dial(WHERE)

    in_cluster(main)
