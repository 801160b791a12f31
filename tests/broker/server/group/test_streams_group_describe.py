"""StreamsGroupDescribe through its handler."""

from __future__ import annotations

from moldau.protocol.messages.streams.streams_group_describe import StreamsGroupDescribeRequest
from tests.broker.coordinator.group.streams.conversation import join
from tests.broker.server.data_broker import DataBroker
from tests.broker.server.group_broker import Forbids, enable_protocols, result_of


def about(*groups: str) -> StreamsGroupDescribeRequest:
    return StreamsGroupDescribeRequest(group_ids=list(groups), include_authorized_operations=True)


def test_a_group_is_described_with_its_topology():
    async def scenario(one: DataBroker):
        enable_protocols(one)
        await one.ask(join().request, 0)
        return await one.ask(about("g", "missing"), 0)

    found, missing = result_of(scenario).groups
    assert (found.error_code, len(found.members), missing.error_code) == (0, 1, 69)
    assert found.topology.subtopologies[0].source_topics == ["t"]
    assert found.authorized_operations != missing.authorized_operations


def test_a_group_with_a_hidden_topic_is_not_reported():
    async def scenario(one: DataBroker):
        enable_protocols(one)
        await one.ask(join().request, 0)
        one.broker.authorizer = Forbids("t")
        return await one.ask(about("g"), 0)

    assert result_of(scenario).groups[0].error_code == 29


def test_a_group_that_may_not_be_described_is_refused():
    async def scenario(one: DataBroker):
        enable_protocols(one)
        one.broker.authorizer = Forbids("g")
        return await one.ask(about("g"), 0)

    assert result_of(scenario).groups[0].error_code == 30
