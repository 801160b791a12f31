"""The connections of a client."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moldau.client.aio.pool import Lane, Pool
from moldau.client.core.dialogue import Ask
from moldau.client.errors import (
    ClientError,
    ClosedError,
    UnreachableError,
    UnresolvedError,
    UnsupportedVersionError,
)
from moldau.errors import HostUnknownError
from moldau.platform import slices
from moldau.platform.simulated.network import SimulatedNetwork
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest, MetadataResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.aio.scripted_broker import SPOKEN, ScriptedCluster, greet, in_cluster
from tests.client.answers import fetched, metadata
from tests.client.conversation import context

METADATA = metadata({"t": {0: (1, 3)}})
SCRIPT = {MetadataRequest: lambda _: METADATA, FetchRequest: lambda _: fetched()}
ANY_BROKER = Ask(MetadataRequest(topics=None))
FETCH = Ask(FetchRequest(max_wait_ms=0, min_bytes=0, topics=[], forgotten_topics_data=[]), 1)


def pool(cluster: ScriptedCluster, **settings: str) -> Pool:
    around = context(**settings)
    around.cluster.apply_metadata(METADATA, 0)
    return Pool(cluster.world, around)


def never(answer: object) -> None:
    raise AssertionError(f"nothing was asked, and {answer!r} came")


def at_once(asking: Pool, ask: Ask) -> list[object]:
    """What comes of a question that needs no task, in the making."""
    received: list[object] = []
    assert asking.ask_at_once(ask, Lane.QUESTIONS, received.append)
    return received


def refused(work):
    async def main(cluster: ScriptedCluster):
        with pytest.raises(UnreachableError) as caught:
            await work(cluster)
        return str(caught.value), cluster.world.now_ms()

    return in_cluster(main)


def test_a_broker_is_asked_in_the_newest_version_that_both_know():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1", SCRIPT)
        await pool(cluster).ask(FETCH)
        return type(broker.asked[0]), broker.versions

    assert in_cluster(main) == (ApiVersionsRequest, [4, SPOKEN])


def test_questions_share_a_connection_and_fetches_have_another():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1", SCRIPT)
        asking = pool(cluster)
        for _ in range(3):
            await asking.ask(Ask(MetadataRequest(topics=None), 1))
        await asking.ask(FETCH, Lane.FETCHES)
        return len(broker.links)

    assert in_cluster(main) == 2


def test_those_who_come_while_it_opens_wait_for_the_same_connection():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1", SCRIPT)
        asking = pool(cluster)

        async def ask() -> None:
            assert isinstance(await asking.ask(Ask(ANY_BROKER.request, 1)), MetadataResponse)

        tasks = [cluster.tasks.spawn(f"ask-{number}", ask()) for number in range(5)]
        for task in tasks:
            await task
        return len(broker.links)

    assert in_cluster(main) == 1


def test_over_a_connection_that_is_there_one_asks_at_once():
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1", SCRIPT)
        asking = pool(cluster)
        question = Ask(ANY_BROKER.request, 1)
        assert not asking.ask_at_once(question, Lane.QUESTIONS, never)
        await asking.ask(question)
        received = at_once(asking, question)
        assert received == []
        await cluster.tasks.sleep(100)
        assert isinstance(received[0], MetadataResponse)
        assert len(received) == 1
        received = at_once(asking, Ask(ANY_BROKER.request, 1, oldest=99))
        await cluster.tasks.sleep(0)
        assert isinstance(received[0], UnsupportedVersionError)
        assert not asking.ask_at_once(Ask(ANY_BROKER.request, 9), Lane.QUESTIONS, never)

    in_cluster(main)


def test_who_asked_at_once_learns_that_no_answer_comes():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1", SCRIPT)
        asking = pool(cluster, request_timeout_ms="700")
        await asking.ask(Ask(ANY_BROKER.request, 1))
        del broker.script[MetadataRequest]
        received = at_once(asking, Ask(ANY_BROKER.request, 1))
        await cluster.tasks.sleep(699)
        assert received == []
        await cluster.tasks.sleep(2)
        (error,) = received
        assert isinstance(error, UnreachableError)
        assert "no answer within 700 ms (request.timeout.ms)" in str(error)
        broker.script[MetadataRequest] = SCRIPT[MetadataRequest]
        await asking.ask(Ask(ANY_BROKER.request, 1))
        broker.script[MetadataRequest] = lambda _: fetched()
        received = at_once(asking, Ask(ANY_BROKER.request, 1))
        await cluster.tasks.sleep(100)
        assert isinstance(received[0], UnreachableError)
        assert asking.ask_at_once(Ask(ANY_BROKER.request, 1), Lane.QUESTIONS, never) is False

    in_cluster(main)


def test_those_who_wait_for_a_connection_learn_that_it_fails():
    async def main(cluster: ScriptedCluster):
        asking = pool(cluster)
        failures = []

        async def ask() -> None:
            with pytest.raises(UnreachableError) as caught:
                await asking.ask(Ask(ANY_BROKER.request, 1))
            failures.append(str(caught.value))

        tasks = [cluster.tasks.spawn(f"ask-{number}", ask()) for number in range(2)]
        for task in tasks:
            await task
        return failures

    assert in_cluster(main) == ["cannot reach b1:9092: connection refused"] * 2


def test_a_connection_that_was_lost_is_made_anew():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1", SCRIPT)
        asking = pool(cluster)
        await asking.ask(FETCH)
        broker.links[0].abort()
        await cluster.tasks.sleep(10)
        await asking.ask(FETCH)
        return len(broker.links)

    assert in_cluster(main) == 2


def test_where_any_broker_would_do_those_that_are_away_are_passed_over():
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b2", SCRIPT)
        return await pool(cluster).ask(ANY_BROKER)

    assert isinstance(in_cluster(main), MetadataResponse)


def test_where_no_broker_can_be_reached_all_are_named(caplog):
    message, _ = refused(lambda cluster: pool(cluster).ask(ANY_BROKER))
    assert "b1:9092" in message
    assert "b2:9092" in message
    assert "connection refused" in caplog.text


def test_a_broker_of_which_nothing_is_known_cannot_be_asked():
    message, _ = refused(lambda cluster: pool(cluster).ask(Ask(ANY_BROKER.request, 9)))
    assert "broker 9: its address is not known" in message


def test_an_answer_that_does_not_come_is_not_waited_for_for_ever():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1")
        with pytest.raises(UnreachableError, match=r"within 700 ms \(request\.timeout\.ms\)"):
            await pool(cluster, request_timeout_ms="700").ask(Ask(ANY_BROKER.request, 1))
        assert 700 <= cluster.world.now_ms() < 800
        return len(broker.links)

    assert in_cluster(main) == 1


def test_a_connection_that_does_not_come_is_not_waited_for_for_ever():
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1", SCRIPT)
        cluster.around.cut("client", "b1")
        asking = pool(cluster, socket_connection_setup_timeout_ms="300")
        await asking.ask(Ask(ANY_BROKER.request, 1))

    message, now_ms = refused(main)
    assert "no connection within 300 ms" in message
    assert now_ms == 300


def test_who_failed_is_not_tried_again_at_once():
    async def main(cluster: ScriptedCluster):
        asking = pool(cluster)
        with pytest.raises(UnreachableError):
            await asking.ask(Ask(ANY_BROKER.request, 1))
        broker = await cluster.broker("b1", SCRIPT)
        with pytest.raises(UnreachableError):
            await asking.ask(Ask(ANY_BROKER.request, 1))
        assert broker.links == []
        await cluster.tasks.sleep(100)
        await asking.ask(Ask(ANY_BROKER.request, 1))

    in_cluster(main)


def test_a_broker_that_wants_an_older_greeting_gets_it():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1", SCRIPT)
        only = ApiVersionsResponse.ApiVersion(api_key=18, min_version=0, max_version=3)
        answers = iter([ErrorCode.UNSUPPORTED_VERSION])

        def hesitate(request):
            code = next(answers, None)
            if code is None:
                return greet(request)
            return ApiVersionsResponse(error_code=code, api_keys=[only])

        broker.script[ApiVersionsRequest] = hesitate
        await pool(cluster).ask(FETCH)
        return broker.versions

    assert in_cluster(main)[1] == 3


def test_a_broker_that_is_too_old_says_so():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1", SCRIPT)
        old = ApiVersionsResponse.ApiVersion(api_key=1, min_version=0, max_version=11)
        broker.script[ApiVersionsRequest] = lambda _: ApiVersionsResponse(
            error_code=0, api_keys=[old]
        )
        with pytest.raises(UnsupportedVersionError, match="Fetch"):
            await pool(cluster).ask(FETCH)

    in_cluster(main)


def test_an_answer_that_makes_no_sense_ends_the_connection():
    async def main(cluster: ScriptedCluster):
        broker = await cluster.broker("b1", SCRIPT)
        asking = pool(cluster)
        broker.script[MetadataRequest] = lambda _: fetched()
        with pytest.raises(UnreachableError, match="no sense in its answer: MetadataResponse"):
            await asking.ask(Ask(ANY_BROKER.request, 1))
        broker.script[MetadataRequest] = SCRIPT[MetadataRequest]
        await asking.ask(Ask(ANY_BROKER.request, 1))
        return len(broker.links)

    assert in_cluster(main) == 2


@pytest.mark.parametrize(("count", "is_long"), [(2, False), (2000, True)])
def test_a_long_answer_is_read_with_others_between(monkeypatch, count, is_long):
    """A node has clients in its own loop, which serves others, too."""
    many = metadata({f"topic-{number:05}": {0: (1, 3)} for number in range(count)})
    rest, rested = slices.Pace.rest, []

    async def noted(pace):
        rested.append(pace)
        await rest(pace)

    monkeypatch.setattr(slices, "SLICE_NS", 0)
    monkeypatch.setattr(slices.Pace, "rest", noted)

    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1", {MetadataRequest: lambda _: many})
        return await pool(cluster).ask(Ask(MetadataRequest(topics=None), 1))

    assert in_cluster(main) == many
    assert len(rested) > 10 if is_long else not rested


def test_after_closing_nothing_can_be_asked():
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1", SCRIPT)
        asking = pool(cluster)
        await asking.ask(FETCH)
        asking.close()
        with pytest.raises(ClosedError):
            await asking.ask(FETCH)

    in_cluster(main)


class _Names(SimulatedNetwork):
    """A network whose name service knows no host for as long as `is_down`."""

    is_down = True

    async def connect(self, address, take_over):
        if self.is_down:
            raise HostUnknownError(str(address), "name or service not known")
        return await super().connect(address, take_over)


def asked_at_unknown_hosts(*, first_known: bool):
    """What a question to any broker comes to while no name of a host is known."""

    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1", SCRIPT)
        names = _Names(cluster.around, "client")
        world = replace(cluster.world, network=names)
        asking = Pool(world, context())
        if first_known:
            names.is_down = False
            way = await asking._reach_any(Lane.QUESTIONS)
            way.peer.abort("moved")
            names.is_down = True
        with pytest.raises(ClientError) as caught:
            await asking.ask(ANY_BROKER)
        return type(caught.value)

    return in_cluster(main)


def test_unknown_hosts_end_a_call_only_where_no_broker_was_reached_before():
    assert asked_at_unknown_hosts(first_known=False) is UnresolvedError
    assert asked_at_unknown_hosts(first_known=True) is UnreachableError
