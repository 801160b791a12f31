"""Whichever broker answers first is taken, and a silent one is not waited for."""

from __future__ import annotations

import pytest

from moldau.client.aio.first_reached import NEXT_AFTER_MS, first_reached
from moldau.client.aio.pool import Pool
from moldau.client.core.dialogue import Ask
from moldau.client.errors import RefusedError, UnreachableError
from moldau.platform.ports.network import Address
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest, MetadataResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.aio.scripted_broker import ScriptedCluster, in_cluster
from tests.client.answers import metadata
from tests.client.conversation import context

METADATA = metadata({"t": {0: (1, 3)}})
SCRIPT = {MetadataRequest: lambda _: METADATA}
SILENT = {ApiVersionsRequest: lambda _: None}
FIRST, SECOND, THIRD = (Address(name, 9092) for name in ("b1", "b2", "b3"))
SLOW_MS = 400


class Ways:
    """Brokers that answer as it is written down, after so many milliseconds."""

    def __init__(self, cluster: ScriptedCluster, answers) -> None:
        self._cluster = cluster
        self._answers = answers
        self.begun: list[tuple[Address, int]] = []
        self.ended: list[Address] = []

    async def reach(self, address: Address):
        self.begun.append((address, self._cluster.world.now_ms()))
        after_ms, answer = self._answers[address]
        try:
            await self._cluster.tasks.sleep(after_ms)
        finally:
            self.ended.append(address)
        if isinstance(answer, Exception):
            raise answer
        return answer


async def outcome(way):
    try:
        return await way
    except (UnreachableError, RefusedError) as error:
        return error


def tried(answers, addresses=(FIRST, SECOND, THIRD)):
    """What came of it, when, and what was done for it."""

    async def main(cluster: ScriptedCluster):
        ways = Ways(cluster, answers)
        began_ms = cluster.world.now_ms()
        result = await outcome(first_reached(cluster.tasks, addresses, ways.reach))
        took_ms = cluster.world.now_ms() - began_ms
        await cluster.tasks.sleep(1)
        begun = [(address, at_ms - began_ms) for address, at_ms in ways.begun]
        return result, took_ms, begun, ways.ended

    return in_cluster(main)


def away(name: str) -> UnreachableError:
    return UnreachableError(name, "connection refused")


def test_one_that_answers_is_enough():
    result, took_ms, begun, _ = tried({FIRST: (SLOW_MS, "way")})
    assert (result, took_ms, begun) == ("way", SLOW_MS, [(FIRST, 0)])


def test_a_silent_one_has_another_beside_it_after_a_moment_and_is_given_up():
    result, took_ms, begun, ended = tried({FIRST: (30_000, "late"), SECOND: (SLOW_MS, "way")})
    assert (result, took_ms) == ("way", NEXT_AFTER_MS + SLOW_MS)
    assert begun == [(FIRST, 0), (SECOND, NEXT_AFTER_MS)]
    assert set(ended) == {FIRST, SECOND}


def test_one_that_was_only_slow_is_taken_if_it_is_ready_first():
    result, took_ms, _, _ = tried({FIRST: (1_200, "slow"), SECOND: (30_000, "way")})
    assert (result, took_ms) == ("slow", 1_200)


def test_one_that_refuses_is_passed_over_at_once():
    answers = {FIRST: (30_000, "late"), SECOND: (1, away("b2")), THIRD: (1, "way")}
    result, took_ms, _, _ = tried(answers)
    assert (result, took_ms) == ("way", NEXT_AFTER_MS + 2)


def test_where_none_is_reached_all_are_named():
    answers = {one: (SLOW_MS, away(one.host)) for one in (FIRST, SECOND, THIRD)}
    result, took_ms, _, _ = tried(answers)
    assert str(result.where) == "b1, b2, b3"
    assert took_ms == 3 * SLOW_MS


def test_one_that_answers_and_refuses_the_client_ends_it():
    refusal = RefusedError("SaslAuthenticate", ErrorCode.SASL_AUTHENTICATION_FAILED, "no")
    result, _, begun, _ = tried({FIRST: (1, refusal)})
    assert result is refusal
    assert len(begun) == 1


def test_a_client_begins_though_a_bootstrap_server_never_greets():
    """Whichever of both comes first in the order that is drawn."""

    async def main(cluster: ScriptedCluster):
        stopped = await cluster.broker("b1", SILENT)
        await cluster.broker("b2", SCRIPT)
        took_ms = []
        for _ in range(10):
            began_ms = cluster.world.now_ms()
            asking = Pool(cluster.world, context(bootstrap_servers="b1:9092,b2:9092"))
            assert isinstance(await asking.ask(Ask(MetadataRequest(topics=[]))), MetadataResponse)
            took_ms.append(cluster.world.now_ms() - began_ms)
            asking.close()
        await cluster.tasks.sleep(10)
        return max(took_ms), len(stopped.links), stopped.lost

    slowest_ms, visits, ended = in_cluster(main)
    assert NEXT_AFTER_MS <= slowest_ms < NEXT_AFTER_MS + 100
    assert visits == ended


@pytest.mark.parametrize("silent", ["b1", "b2"])
def test_a_client_begins_though_a_bootstrap_server_cannot_be_connected_to(silent):
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1", SCRIPT)
        await cluster.broker("b2", SCRIPT)
        cluster.around.cut("client", silent)
        asking = Pool(cluster.world, context(bootstrap_servers="b1:9092,b2:9092"))
        await asking.ask(Ask(MetadataRequest(topics=[])))
        return cluster.world.now_ms()

    async def idle(cluster: ScriptedCluster):
        return cluster.world.now_ms()

    assert in_cluster(main) - in_cluster(idle) < NEXT_AFTER_MS + 100
