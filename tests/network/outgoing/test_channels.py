"""The channels of a node, by address and lane."""

from __future__ import annotations

from random import Random

import pytest

from moldau.errors import NetworkError
from moldau.network.outgoing.channels import FETCHES, QUESTIONS, Channels
from moldau.network.outgoing.dialer import Dialer
from moldau.platform.ports.network import Address
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.client.aio.scripted_broker import PORT, ScriptedCluster, in_cluster
from tests.client.answers import metadata

WHERE = Address("b1", PORT)
FETCH = FetchRequest(max_wait_ms=0, min_bytes=0, topics=[], forgotten_topics_data=[])


def channels(cluster: ScriptedCluster) -> Channels:
    dialer = Dialer(network=cluster.world.network, tasks=cluster.tasks)
    return Channels(dialer, cluster.clock, Random(1))


def test_a_question_does_not_wait_behind_a_fetch_that_rests():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1", {MetadataRequest: lambda _: metadata({})})
        among = channels(cluster)

        async def rest() -> None:
            with pytest.raises(TimeoutError):
                await among.ask(WHERE, FETCH, 900)

        resting = cluster.tasks.spawn("resting", rest())
        await among.ask(WHERE, MetadataRequest(topics=None), 900)
        asked_ms = cluster.world.now_ms()
        await resting
        return len(broker.links), asked_ms < 900

    assert in_cluster(main) == (2, True)


def test_a_lane_to_an_address_is_one_channel():
    async def main(cluster: ScriptedCluster):
        among = channels(cluster)
        again = among.to(WHERE) is among.to(WHERE, QUESTIONS)
        return again, among.to(WHERE) is among.to(WHERE, FETCHES)

    assert in_cluster(main) == (True, False)


def test_when_they_are_closed_no_broker_is_asked_any_more():
    async def main(cluster: ScriptedCluster):
        among = channels(cluster)
        among.to(WHERE)
        among.close()
        with pytest.raises(NetworkError, match="closed"):
            await among.ask(WHERE, MetadataRequest(topics=None), 100)

    in_cluster(main)


def test_an_address_that_is_abandoned_fails_what_is_under_way_and_can_be_asked_again():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1")
        among = channels(cluster)
        cluster.tasks.after(100, lambda: among.abandon(WHERE, "it leads no more"))
        with pytest.raises(NetworkError, match="it leads no more"):
            await among.ask(WHERE, MetadataRequest(topics=None), 900)
        broker.script[MetadataRequest] = lambda _: metadata({})
        await among.ask(WHERE, MetadataRequest(topics=None), 900)
        return cluster.world.now_ms() < 200

    assert in_cluster(main)


def test_what_went_over_all_connections_is_counted_and_stays_when_one_is_lost():
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1", {MetadataRequest: lambda _: metadata({})})
        among = channels(cluster)
        found = []
        for _ in range(2):
            await among.ask(WHERE, MetadataRequest(topics=None), 900)
            found.append(among.traffic)
            among.abandon(WHERE, "for the test")
        return found

    first, second = in_cluster(main)
    assert first.requests == first.answers > 0
    assert min(first.bytes_out, first.bytes_in) > 0
    assert second == first.plus(first)
