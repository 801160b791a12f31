"""A client leaves a broker that does not answer once the others no longer have it."""

from __future__ import annotations

import pytest

from moldau.client.aio.pool import Lane, Pool
from moldau.client.core.dialogue import Ask
from moldau.client.errors import UnreachableError
from moldau.platform.ports.network import Address
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.client.aio.scripted_broker import ScriptedCluster, in_cluster
from tests.client.answers import metadata
from tests.client.conversation import context

ALL = metadata({"t": {0: (1, 3)}})
WITHOUT_FIRST = metadata({"t": {0: (2, 4)}})
del WITHOUT_FIRST.brokers[0]
FETCH = Ask(FetchRequest(max_wait_ms=0, min_bytes=0, topics=[], forgotten_topics_data=[]), 1)
QUESTION = Ask(MetadataRequest(topics=None), 1)
TIMEOUT_MS = 30_000
SOON_MS = 2_000


def pool(cluster: ScriptedCluster) -> Pool:
    around = context(request_timeout_ms=str(TIMEOUT_MS))
    around.cluster.apply_metadata(ALL, 0)
    return Pool(cluster.world, around)


def waited(others, script=None, ask: Ask = FETCH, *, talks_before: bool = False):
    """What b1, which answers no fetch, is left with: the error, when it came, and b1's links."""

    async def main(cluster: ScriptedCluster):
        first = await cluster.broker("b1", script or {MetadataRequest: lambda _: ALL})
        second = await cluster.broker("b2", {MetadataRequest: others})
        asking = pool(cluster)
        if talks_before:
            await asking.ask(QUESTION)
        with pytest.raises(UnreachableError) as caught:
            await asking.ask(ask, Lane.FETCHES)
        ended_ms = cluster.world.now_ms()
        await cluster.tasks.sleep(10)
        return str(caught.value), ended_ms, first, second

    return in_cluster(main)


def test_a_broker_that_left_the_cluster_is_not_waited_for():
    error, ended_ms, _, second = waited(lambda _: WITHOUT_FIRST)
    assert ended_ms < SOON_MS
    assert "broker 1 does not answer, and according to broker 2 it has left the cluster" in error
    assert [request.topics for request in second.questions(MetadataRequest)] == [[]]


def test_a_broker_that_is_slow_is_waited_for_and_the_others_are_seldom_asked():
    error, ended_ms, _, second = waited(lambda _: ALL)
    assert ended_ms >= TIMEOUT_MS
    assert "request.timeout.ms" in error
    assert len(second.questions(MetadataRequest)) < 25


def test_it_is_asked_again_until_the_others_have_noticed():
    answers = iter([ALL, ALL, ALL])
    _, ended_ms, _, second = waited(lambda _: next(answers, WITHOUT_FIRST))
    assert ended_ms < 2 * SOON_MS
    assert len(second.questions(MetadataRequest)) == 4


def test_connections_over_which_nothing_waits_end_too():
    _, _, first, _ = waited(lambda _: WITHOUT_FIRST, talks_before=True)
    assert len(first.links) == first.lost == 2


def test_a_broker_that_does_not_greet_is_left_too():
    def silence(_request):
        return None

    error, ended_ms, _, _ = waited(lambda _: WITHOUT_FIRST, {ApiVersionsRequest: silence})
    assert ended_ms < SOON_MS
    assert "left the cluster" in error


def test_the_next_question_for_any_goes_to_those_that_are_left():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1", {MetadataRequest: lambda _: ALL})
        second = await cluster.broker("b2", {MetadataRequest: lambda _: WITHOUT_FIRST})
        asking = pool(cluster)
        await asking.ask(QUESTION)
        broker.script.clear()
        with pytest.raises(UnreachableError):
            await asking.ask(QUESTION)
        asked = len(second.asked)
        for _ in range(5):
            await asking.ask(Ask(MetadataRequest(topics=None)))
        assert len(second.asked) == asked + 5
        return cluster.world.now_ms()

    assert in_cluster(main) < SOON_MS


FIND_ALL = Ask(MetadataRequest(topics=None))
BEFORE_THE_FIRST = {"bootstrap_servers": "b1:9092,b2:9092", "request_timeout_ms": str(TIMEOUT_MS)}


def begun(others, ask: Ask = FIND_ALL):
    """How long a client's first question takes that b1 is asked, which only greets."""

    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1")
        await cluster.broker("b2", {MetadataRequest: others})
        around = context(**BEFORE_THE_FIRST)
        asking = Pool(cluster.world, around)
        await asking._reach_address(Address("b1", 9092), Lane.QUESTIONS)
        with pytest.raises(UnreachableError) as caught:
            await asking._ask_over(asking._connections[Address("b1", 9092), Lane.QUESTIONS], ask)
        lost_ms = cluster.world.now_ms()
        if lost_ms < TIMEOUT_MS:
            await asking.ask(FIND_ALL)
            assert cluster.world.now_ms() - lost_ms < 100  # it goes to the one that answered
        return str(caught.value), lost_ms

    return in_cluster(main)


def test_a_bootstrap_server_that_greets_and_falls_silent_is_left_for_another():
    error, lost_ms = begun(lambda _: WITHOUT_FIRST)
    assert lost_ms < SOON_MS
    assert "it does not answer, and b2:9092 knows no broker at this address" in error


def test_a_bootstrap_server_that_is_slow_is_waited_for():
    assert begun(lambda _: ALL)[1] >= TIMEOUT_MS


def test_what_changes_something_is_not_given_up_at_a_bootstrap_server():
    creation = Ask(CreateTopicsRequest(topics=[], timeout_ms=60_000))
    assert begun(lambda _: WITHOUT_FIRST, creation)[1] >= TIMEOUT_MS


def test_nothing_is_watched_while_nothing_is_asked():
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1", {MetadataRequest: lambda _: ALL})
        asking = pool(cluster)
        await asking.ask(QUESTION)
        await cluster.tasks.sleep(10_000)
        return asking._silence._timer

    assert in_cluster(main) is None
