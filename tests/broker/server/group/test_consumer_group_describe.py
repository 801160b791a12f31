"""ConsumerGroupDescribe through its handler."""

from __future__ import annotations

from moldau.protocol.messages.group.consumer_group_describe import ConsumerGroupDescribeRequest
from tests.broker.coordinator.group.consumer.conversation import join
from tests.broker.server.data_broker import DataBroker
from tests.broker.server.group_broker import Forbids, enable_protocols, result_of


def about(*groups: str) -> ConsumerGroupDescribeRequest:
    return ConsumerGroupDescribeRequest(group_ids=list(groups), include_authorized_operations=True)


def test_a_group_is_described_with_what_its_members_have():
    async def scenario(one: DataBroker):
        enable_protocols(one)
        await one.ask(join().request, 1)
        return await one.ask(about("g", "missing", ""), 1)

    found, missing, nameless = result_of(scenario).groups
    assert (found.group_state, found.assignor_name, found.group_epoch) == ("Stable", "uniform", 2)
    assert found.members[0].assignment.topic_partitions[0].topic_name == "t"
    assert found.authorized_operations != missing.authorized_operations
    assert (missing.error_code, nameless.error_code) == (69, 24)


def test_a_group_with_a_hidden_topic_is_not_reported():
    async def scenario(one: DataBroker):
        enable_protocols(one)
        await one.ask(join().request, 1)
        one.broker.authorizer = Forbids("t")
        return await one.ask(about("g"), 1)

    (group,) = result_of(scenario).groups
    assert (group.error_code, group.members) == (29, [])


def test_a_group_that_may_not_be_described_is_refused():
    async def scenario(one: DataBroker):
        enable_protocols(one)
        one.broker.authorizer = Forbids("g")
        return await one.ask(about("g"), 1)

    assert result_of(scenario).groups[0].error_code == 30
