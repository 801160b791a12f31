"""ConsumerGroupHeartbeat through its handler."""

from __future__ import annotations

from tests.broker.coordinator.group.consumer.conversation import beat, join
from tests.broker.server.data_broker import DataBroker
from tests.broker.server.group_broker import Forbids, enable_protocols, refused, result_of


def test_a_member_joins_and_gets_its_partitions():
    async def scenario(one: DataBroker):
        enable_protocols(one)
        return await one.ask(join().request, 1)

    answer = result_of(scenario)
    assert (answer.error_code, answer.member_epoch) == (0, 2)
    assert [entry.partitions for entry in answer.assignment.topic_partitions] == [[0, 1]]


def test_without_the_feature_the_protocol_is_not_supported():
    async def scenario(one: DataBroker):
        return await refused(one, join().request, 1)

    assert result_of(scenario) == 35


def test_topics_that_may_not_be_described_cannot_be_named():
    async def scenario(one: DataBroker):
        enable_protocols(one)
        one.broker.authorizer = Forbids("t")
        return await refused(one, join().request, 1)

    assert result_of(scenario) == 29


def test_a_group_that_may_not_be_read_cannot_be_joined():
    async def scenario(one: DataBroker):
        enable_protocols(one)
        one.broker.authorizer = Forbids("g")
        return await refused(one, beat("m", 3).request, 1)

    assert result_of(scenario) == 30
