"""Requests to one address."""

from __future__ import annotations

from random import Random

import pytest

from moldau.errors import KafkaError, NetworkError
from moldau.network.outgoing.backoff import Backoff
from moldau.network.outgoing.channel import Channel
from moldau.network.outgoing.dialer import Dialer
from moldau.platform.ports.network import Address
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from moldau.protocol.messages.quorum.vote import VoteRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.aio.scripted_broker import PORT, ScriptedBroker, ScriptedCluster, in_cluster
from tests.client.answers import metadata

WHERE = Address("b1", PORT)
ANSWER = {MetadataRequest: lambda _: metadata({"t": {0: (1, 3)}})}
QUESTION = MetadataRequest(topics=None)


def channel(cluster: ScriptedCluster) -> Channel:
    dialer = Dialer(network=cluster.world.network, tasks=cluster.tasks, setup_timeout_ms=500)
    return Channel(WHERE, dialer, cluster.clock, Backoff(Random(1), 50, 50))


async def fails(asking: Channel, timeout_ms: int = 1000) -> str:
    with pytest.raises((NetworkError, TimeoutError, KafkaError)) as caught:
        await asking.ask(QUESTION, timeout_ms)
    return str(caught.value)


async def together(cluster: ScriptedCluster, asking: Channel, count: int) -> list[str]:
    """Ask that often at one moment; how each went."""
    outcomes: list[str] = []

    async def one() -> None:
        try:
            answer = await asking.ask(QUESTION, 1000)
            outcomes.append(type(answer).__name__)
        except NetworkError as error:
            outcomes.append(error.reason)

    for task in [cluster.tasks.spawn(f"ask-{number}", one()) for number in range(count)]:
        await task
    return outcomes


def test_those_who_ask_together_share_one_connection():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1", ANSWER)
        outcomes = await together(cluster, channel(cluster), 3)
        return outcomes, len(broker.links), [type(asked) for asked in broker.asked]

    outcomes, links, asked = in_cluster(main)
    assert outcomes == ["MetadataResponse"] * 3
    assert links == 1
    assert asked == [ApiVersionsRequest, *[MetadataRequest] * 3]


def test_a_lost_connection_fails_what_was_under_way_and_is_made_again():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1")
        asking = channel(cluster)
        lost: list[str] = []
        asking.when_lost = lost.append
        cluster.tasks.after(100, lambda: broker.links[0].abort())
        outcomes = await together(cluster, asking, 2)
        broker.script.update(ANSWER)
        again = await asking.ask(QUESTION, 1000)
        return outcomes, len(lost), type(again).__name__, len(broker.links)

    outcomes, lost, again, links = in_cluster(main)
    assert ["the connection ended" in reason for reason in outcomes] == [True, True]
    assert (lost, again, links) == (1, "MetadataResponse", 2)


def test_who_does_not_answer_in_time_loses_the_connection():
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1")
        asking = channel(cluster)
        lost: list[str] = []
        asking.when_lost = lost.append
        reason = await fails(asking, 300)
        return reason, cluster.world.now_ms(), asking.is_open, lost

    assert in_cluster(main) == ("b1:9092: no answer within 300 ms", 300, False, [])


def test_after_a_failure_the_next_try_waits():
    async def main(cluster: ScriptedCluster):
        cluster.around.host("b1")
        asking = channel(cluster)
        await fails(asking)
        first_ms = cluster.world.now_ms()
        await fails(asking)
        return cluster.world.now_ms() - first_ms

    assert 40 <= in_cluster(main) <= 62


def test_a_request_waits_for_the_connection_no_longer_than_it_may():
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1", ANSWER)
        cluster.around.cut("client", "b1")
        asking = channel(cluster)
        reason = await fails(asking, 200)
        cluster.around.heal("client", "b1")
        await cluster.tasks.sleep(500)
        answer = await asking.ask(QUESTION, 1000)
        return reason, type(answer).__name__

    assert in_cluster(main) == ("b1:9092: no connection within 200 ms", "MetadataResponse")


def test_a_request_that_the_other_node_does_not_know_is_not_sent():
    async def main(cluster: ScriptedCluster):
        broker: ScriptedBroker = await cluster.broker("b1", ANSWER)
        broker.script[ApiVersionsRequest] = lambda _: ApiVersionsResponse(error_code=0, api_keys=[])
        with pytest.raises(KafkaError, match="VoteRequest") as caught:
            await channel(cluster).ask(VoteRequest(topics=[]), 1000)
        return caught.value.code, len(broker.asked)

    assert in_cluster(main) == (ErrorCode.UNSUPPORTED_VERSION, 1)


def test_a_closed_channel_is_asked_nothing():
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1", ANSWER)
        asking = channel(cluster)
        await asking.ask(QUESTION, 1000)
        asking.close()
        return await fails(asking), str(asking)

    assert in_cluster(main) == ("b1:9092: the channel is closed", "<Channel b1:9092: closed>")
