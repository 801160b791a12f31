"""Holding dialogues."""

from __future__ import annotations

from typing import cast

import pytest

from moldau.client.aio.driver import Driver
from moldau.client.aio.pool import Pool
from moldau.client.core.dialogue import Ask, Asks, Pause
from moldau.client.errors import ClosedError, UnreachableError
from moldau.errors import NetworkError
from moldau.platform.ports.tasks import Tasks
from moldau.protocol.messages.topic.metadata import MetadataRequest, MetadataResponse
from tests.client.aio.scripted_broker import ScriptedCluster, in_cluster
from tests.client.answers import metadata
from tests.client.conversation import context

METADATA = metadata({"t": {0: (1, 3)}})
QUESTION = MetadataRequest(topics=None)


def held(dialogue_of):
    """What a dialogue comes to that talks with broker 1; broker 2 is away."""

    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1", {MetadataRequest: lambda _: METADATA})
        around = context()
        around.cluster.apply_metadata(METADATA, 0)
        driver = Driver(cluster.world, Pool(cluster.world, around), 900)
        return await driver.hold(dialogue_of())

    return in_cluster(main)


def test_a_question_is_asked_and_its_answer_received():
    def dialogue():
        received = yield Asks((Ask(QUESTION),))
        return received.answers

    (answer,) = held(dialogue)
    assert isinstance(answer, MetadataResponse)


def test_answers_and_failures_come_in_the_order_of_the_questions():
    def dialogue():
        received = yield Asks((Ask(QUESTION, 2), Ask(QUESTION, 1)))
        return [type(answer) for answer in received.answers]

    assert held(dialogue) == [UnreachableError, MetadataResponse]


class RefusedOnce:
    """Stands for a pool whose connection was refused, and that waits for its next try."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks

    async def ask(self, _ask, _lane):
        try:
            raise NetworkError("provider:443", "its certificate is refused")
        except NetworkError:
            await self._tasks.sleep(10_000)


def test_a_late_answer_names_what_had_failed_before():
    async def main(cluster: ScriptedCluster):
        pool = cast("Pool", RefusedOnce(cluster.world.tasks))
        return await Driver(cluster.world, pool, 900).ask_all(Asks((Ask(QUESTION),)))

    (answer,) = in_cluster(main)
    assert isinstance(answer, UnreachableError)
    assert str(answer) == (
        "cannot reach any broker: no answer within 900 ms; before that: provider:443: its"
        " certificate is refused"
    )


def test_a_question_takes_no_longer_than_a_whole_call():
    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1", {MetadataRequest: lambda _: METADATA})
        cluster.around.cut("b1", "client")
        driver = Driver(cluster.world, Pool(cluster.world, context()), 900)
        answer = await driver.hold(dialogue())
        return str(answer), cluster.world.now_ms()

    def dialogue():
        received = yield Asks((Ask(QUESTION),))
        return received.answers[0]

    assert in_cluster(main) == ("cannot reach any broker: no answer within 900 ms", 900)


def test_a_pause_takes_its_time_and_the_time_is_reported():
    def dialogue():
        first = yield Pause(0)
        second = yield Pause(250)
        return second.now_ms - first.now_ms, second.answers

    assert held(dialogue) == (250, ())


def test_an_error_of_the_dialogue_is_the_callers():
    def dialogue():
        yield Pause(1)
        raise ClosedError

    with pytest.raises(ClosedError):
        held(dialogue)


def test_a_dialogue_may_have_nothing_to_ask():
    def dialogue():
        yield from ()
        return 5

    assert held(dialogue) == 5
