"""A session that looks where something has changed says what one says that looks everywhere."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from moldau.broker.server.fetch.due_partitions import CHECK_ALL_MS
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.server.data_broker import DataBroker, result_of
from tests.broker.server.fetch_histories import (
    FOR_EVER,
    HISTORIES,
    NEVER,
    VERSION,
    Client,
    World,
    answers_in,
)


@settings(max_examples=150, deadline=None)
@given(HISTORIES)
def test_whatever_happens_both_say_the_same_at_the_same_time(history):
    assert answers_in(history, FOR_EVER) == answers_in(history, NEVER)


def watchers(broker: DataBroker, index: int) -> int:
    return len(broker.partition("topic", index).watchers)


async def begun(broker: DataBroker, check_all_ms: float = FOR_EVER) -> World:
    """One client has a session over two partitions, which rest."""
    await broker.topic("topic", 2)
    world = World(broker, check_all_ms)
    for _ in range(3):
        await world.fetch(0, (0, 1))
        await world.settle(3)
    return world


def test_partitions_that_rest_are_watched_until_they_wake():
    async def scenario(broker: DataBroker):
        await begun(broker)
        before = [watchers(broker, index) for index in (0, 1)]
        broker.partition("topic", 1).append(batch())
        return before, [watchers(broker, index) for index in (0, 1)]

    assert result_of(scenario) == ([1, 1], [1, 0])


@pytest.mark.parametrize("wait_ms", [0, 50])
def test_a_session_that_is_over_watches_nothing(wait_ms):
    async def scenario(broker: DataBroker):
        world = await begun(broker)
        await world.fetch(0, (0, 1), max_wait_ms=wait_ms)
        other = Client(session=(world.clients[0].session[0], -1))
        await broker.ask(other.request((0, 1)), VERSION)
        broker.partition("topic", 1).append(batch())
        await world.settle(3)
        return watchers(broker, 0), watchers(broker, 1), len(world.answers[-1][-1]) > len(batch())

    assert result_of(scenario) == (0, 0, wait_ms > 0)


def test_a_directory_that_fails_is_reported_though_no_partition_wakes():
    async def scenario(broker: DataBroker):
        world = await begun(broker)
        broker.partition("topic").directory.take_offline("it is broken")
        response = await broker.ask(world.clients[0].request((0, 1)), VERSION)
        return [one.error_code for topic in response.responses for one in topic.partitions]

    assert result_of(scenario) == [ErrorCode.KAFKA_STORAGE_ERROR] * 2


class Forbidding:
    def allows(self, caller, operation, resource, name):
        return False


def test_an_access_that_is_withdrawn_is_reported_with_the_next_answer():
    async def scenario(broker: DataBroker):
        world = await begun(broker)
        broker.broker.authorizer = Forbidding()
        response = await broker.ask(world.clients[0].request((0, 1)), VERSION)
        return [one.error_code for topic in response.responses for one in topic.partitions]

    assert result_of(scenario) == [ErrorCode.TOPIC_AUTHORIZATION_FAILED] * 2


def test_who_may_see_further_than_before_sees_all():
    async def scenario(broker: DataBroker):
        world = await begun(broker)
        await world.transact(0)
        await world.transact(1)
        seen = []
        for level in (1, 1, 0):
            await world.fetch(0, (0, 1), isolation_level=level)
            await world.settle(3)
            seen.append(len(world.answers[-1][-1]) > 3 * len(batch()))
        return seen

    assert result_of(scenario) == [False, False, True]


@pytest.mark.parametrize(("check_all_ms", "answered"), [(FOR_EVER, 0), (CHECK_ALL_MS, 1)])
def test_a_wake_up_that_was_forgotten_is_made_good_after_a_while(check_all_ms, answered):
    async def scenario(broker: DataBroker):
        world = await begun(broker, check_all_ms)
        partition = broker.partition("topic")
        partition.watchers.clear()
        partition.append(batch())
        await broker.tasks.sleep(CHECK_ALL_MS)
        response = await broker.ask(world.clients[0].request((0, 1)), VERSION)
        return len(response.responses)

    assert result_of(scenario) == answered


def test_partitions_that_were_not_looked_at_are_counted_as_fetched():
    async def scenario(broker: DataBroker):
        world = await begun(broker)
        counted = broker.broker.traffic.topic("topic").fetches
        before = counted.count
        broker.partition("topic").append(batch())
        await world.fetch(0, (0, 1))
        return counted.count - before

    assert result_of(scenario) == 2
