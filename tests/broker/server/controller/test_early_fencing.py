"""Brokers whose process has ended."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.cluster import BrokerState, Cluster, Endpoint
from moldau.broker.metadata.image import Image
from moldau.broker.server.controller.early_fencing import EarlyFencing
from tests.client.aio.scripted_broker import PORT, ScriptedCluster, in_cluster

LINE = 7
"""The connection with the heartbeats."""


def image(*, fenced: bool = False) -> Image:
    ends = {"PLAINTEXT": Endpoint("PLAINTEXT", "b2", PORT, 0)}
    states = {number: BrokerState(number, 5, bytes(16), ends, fenced=fenced) for number in (1, 2)}
    return Image(cluster=Cluster(brokers=states))


def ended(happens, known=None):
    """The sessions that end by what happens."""

    async def main(cluster: ScriptedCluster):
        sessions: list[tuple[int, int]] = []
        fencing = EarlyFencing(
            cluster.world.network,
            cluster.tasks,
            1,
            lambda: image() if known is None else known,
            lambda broker_id, epoch: sessions.append((broker_id, epoch)),
        )
        cluster.around.host("b2")
        await happens(cluster, fencing)
        await cluster.tasks.sleep(2000)
        return sessions

    return in_cluster(main)


async def lose_line(cluster: ScriptedCluster, fencing: EarlyFencing) -> None:
    fencing.heartbeat(LINE, 2, 5)
    fencing.connection_lost(LINE)


def test_a_broker_whose_connection_is_lost_and_whose_port_refuses_has_vanished():
    assert ended(lose_line) == [(2, 5)]


def test_a_broker_that_still_listens_has_not():
    async def happens(cluster, fencing):
        await cluster.broker("b2")
        await lose_line(cluster, fencing)

    assert ended(happens) == []


def test_a_broker_that_cannot_be_reached_may_be_alive():
    async def happens(cluster, fencing):
        cluster.around.cut("client", "b2")
        await lose_line(cluster, fencing)

    assert ended(happens) == []


def test_a_connection_without_heartbeats_is_no_brokers():
    async def happens(cluster, fencing):
        fencing.connection_lost(LINE)

    assert ended(happens) == []


@pytest.mark.parametrize("epoch", [4, 6])
def test_a_broker_in_another_life_is_left_alone(epoch):
    async def happens(cluster, fencing):
        fencing.heartbeat(LINE, 2, epoch)
        fencing.connection_lost(LINE)

    assert ended(happens) == []


def test_a_fenced_broker_is_not_looked_for():
    assert ended(lose_line, image(fenced=True)) == []


def test_a_controller_that_becomes_active_looks_for_all_brokers_but_its_own():
    async def happens(cluster, fencing):
        fencing.probe_all()

    assert ended(happens) == [(2, 5)]
