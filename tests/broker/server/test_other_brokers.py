"""The way to other brokers."""

from __future__ import annotations

from random import Random

import pytest

from moldau.broker.metadata.cluster import BrokerState, Cluster, Endpoint
from moldau.broker.metadata.image import Image
from moldau.broker.server.other_brokers import OtherBrokers
from moldau.errors import NetworkError
from moldau.network.outgoing.channels import Channels
from moldau.network.outgoing.dialer import Dialer
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.client.aio.scripted_broker import PORT, ScriptedCluster, in_cluster
from tests.client.answers import metadata

QUESTION = MetadataRequest(topics=None)


def image(host: str, listener: str = "INSIDE") -> Image:
    ends = {listener: Endpoint(listener, host, PORT, 0)}
    return Image(cluster=Cluster(brokers={2: BrokerState(2, 5, bytes(16), ends)}))


def others(cluster: ScriptedCluster, known: list[Image]) -> OtherBrokers:
    dialer = Dialer(network=cluster.world.network, tasks=cluster.tasks)
    channels = Channels(dialer, cluster.clock, Random(1))
    return OtherBrokers(channels, lambda: known[-1], "INSIDE")


def test_a_broker_is_found_where_the_metadata_place_it_now():
    async def main(cluster: ScriptedCluster):
        brokers = [
            await cluster.broker(name, {MetadataRequest: lambda _: metadata({})})
            for name in ("b1", "b2")
        ]
        known = [image("b1")]
        asking = others(cluster, known)
        await asking.ask(2, QUESTION, 1000)
        known.append(image("b2"))
        await asking.ask(2, QUESTION, 1000)
        return [len(broker.questions(MetadataRequest)) for broker in brokers]

    assert in_cluster(main) == [1, 1]


@pytest.mark.parametrize(("broker_id", "listener"), [(3, "INSIDE"), (2, "OUTSIDE")])
def test_who_has_no_listener_for_brokers_is_not_reached(broker_id, listener):
    async def main(cluster: ScriptedCluster):
        asking = others(cluster, [image("b1", listener)])
        assert asking.channel(broker_id) is None
        with pytest.raises(NetworkError, match=rf"broker {broker_id}: .* no INSIDE address"):
            await asking.ask(broker_id, QUESTION, 1000)

    in_cluster(main)


def test_a_lane_is_the_same_channel_each_time():
    async def main(cluster: ScriptedCluster):
        asking = others(cluster, [image("b1")])
        return asking.channel(2, "x") is asking.channel(2, "x"), asking.channel(2, "x") is (
            asking.channel(2)
        )

    assert in_cluster(main) == (True, False)
