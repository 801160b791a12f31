"""Answers that come without a task that waits for them, in simulated time."""

from __future__ import annotations

from typing import Any

from moldau.client.aio.replies import Replies
from moldau.client.core.dialogue import Ask
from moldau.client.core.telemetry.meter import Meter
from moldau.client.errors import UnreachableError
from moldau.network.outgoing.dialer import Dialer
from moldau.platform.ports.network import Address
from moldau.protocol.messages.topic.metadata import MetadataRequest, MetadataResponse
from tests.client.aio.scripted_broker import PORT, in_cluster
from tests.client.aio.test_sender_runner import CountedTasks
from tests.client.answers import metadata

WHERE = Address("b1", PORT)
QUESTION = Ask(MetadataRequest(topics=None), 1)


def asked(work, script):
    """What `work(replies, tasks, broker, cluster)` comes to."""

    async def main(cluster):
        broker = await cluster.broker("b1", script)
        way = await Dialer(network=cluster.world.network, tasks=cluster.tasks).dial(WHERE)
        tasks: Any = CountedTasks(cluster.tasks)
        replies = Replies(tasks, cluster.clock, Meter(), way.peer, way.spoken, 1000)
        return await work(replies, tasks, broker, cluster)

    return in_cluster(main)


def test_one_timer_watches_all_answers_of_a_connection():
    async def work(replies, tasks, _broker, cluster):
        received: list[object] = []
        for _ in range(20):
            replies.ask(QUESTION, received.append)
            await cluster.tasks.sleep(10)
        return [type(one) for one in received], tasks.timers

    kinds, timers = asked(work, {MetadataRequest: lambda _: metadata({})})
    assert (kinds, timers) == ([MetadataResponse] * 20, 1)


def test_what_is_not_answered_in_time_fails_with_all_that_came_after_it():
    async def work(replies, _tasks, broker, cluster):
        received: list[object] = []
        replies.ask(QUESTION, received.append)
        await cluster.tasks.sleep(900)
        broker.script.clear()
        replies.ask(QUESTION, received.append)
        replies.ask(QUESTION, received.append)
        await cluster.tasks.sleep(990)
        before = len(received)
        await cluster.tasks.sleep(20)
        return before, received[1:]

    before, errors = asked(work, {MetadataRequest: lambda _: metadata({})})
    assert before == 1
    assert [type(error) for error in errors] == [UnreachableError] * 2
    assert "1000 ms (request.timeout.ms)" in str(errors[0])
