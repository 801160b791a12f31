"""Looks for the topics of a subscription, in simulated time."""

from __future__ import annotations

import re
from itertools import pairwise

from moldau.client.aio.driver import Driver
from moldau.client.aio.pool import Pool
from moldau.client.aio.topic_watch import TopicWatch
from moldau.client.core.consuming.group_state import GroupState
from moldau.client.core.consuming.subscription import Subscription
from moldau.client.core.context import ClientContext
from moldau.client.settings.consumer import ConsumerSettings
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.aio.scripted_broker import ScriptedCluster, in_cluster
from tests.client.answers import metadata

SETTINGS = {"bootstrap.servers": "b1:9092", "group.id": "g"}
ABSENT = metadata({}, brokers=1, refused={"t": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION})
THERE = metadata({"t": {0: (1, 3)}}, brokers=1)


def watching(work, answers, pattern=None):
    """What `work(watch, cluster, looks)` comes to; `looks` grows with each that is done."""

    async def main(cluster: ScriptedCluster):
        await cluster.broker("b1", {MetadataRequest: lambda _: answers.pop(0)})
        settings = ConsumerSettings.of(SETTINGS)
        context, state = ClientContext(settings, cluster.world.random), GroupState("g", None)
        subscription = Subscription(settings, state, cluster.world.now_ms())
        subscription.subscribe(() if pattern else ("t",), pattern, None)
        driver = Driver(cluster.world, Pool(cluster.world, context), 10_000)
        looks: list[int] = []
        watch = TopicWatch(
            cluster.world,
            context,
            driver,
            subscription,
            state,
            lambda: looks.append(cluster.world.now_ms()),
        )
        return await work(watch, cluster, looks)

    return in_cluster(main)


def test_a_topic_that_is_not_there_yet_is_looked_for_again_within_a_second():
    async def work(watch, cluster, looks):
        for _ in range(40):
            watch.look_if_due(cluster.world.now_ms())
            await cluster.world.tasks.sleep(100)
        return looks

    looks = watching(work, [ABSENT, ABSENT, THERE])
    assert len(looks) == 3  # and after the third, in which it is there, no more
    assert [round((after - before) / 1000) for before, after in pairwise(looks)] == [1, 1]


def test_a_look_in_the_background_does_not_wait_for_the_broker():
    async def work(watch, cluster, looks):
        watch.look_if_due(cluster.world.now_ms())
        before = list(looks)
        await cluster.world.tasks.sleep(1000)
        return before, len(looks)

    assert watching(work, [THERE]) == ([], 1)


def test_a_pattern_is_looked_up_at_once_for_who_waits():
    async def work(watch, cluster, looks):
        await watch.look()
        return watch._state.topics, len(looks)

    assert watching(work, [THERE], re.compile("t.*")) == ({"t"}, 1)
