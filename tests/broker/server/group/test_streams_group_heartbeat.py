"""StreamsGroupHeartbeat through its handler."""

from __future__ import annotations

import pytest

from tests.broker.coordinator.group.streams.conversation import beat, join, part, topology
from tests.broker.server.data_broker import DataBroker
from tests.broker.server.group_broker import Forbids, enable_protocols, refused, result_of


def test_a_member_joins_and_waits_for_others():
    async def scenario(one: DataBroker):
        enable_protocols(one)
        return await one.ask(join().request, 0)

    answer = result_of(scenario)
    assert (answer.error_code, [status.status_code for status in answer.status]) == (0, [5])


def test_without_the_feature_the_protocol_is_not_supported():
    async def scenario(one: DataBroker):
        return await refused(one, join().request, 0)

    assert result_of(scenario) == 35


@pytest.mark.parametrize("topic", ["__consumer_offsets", "no/topic"])
def test_topics_that_cannot_be_in_a_topology_are_refused(topic):
    async def scenario(one: DataBroker):
        enable_protocols(one)
        return await refused(one, join("m", topology(part("0", topic))).request, 0)

    assert result_of(scenario) == 130


@pytest.mark.parametrize(("name", "code"), [("t", 29), ("g", 30)])
def test_what_is_forbidden_is_refused(name, code):
    async def scenario(one: DataBroker):
        enable_protocols(one)
        one.broker.authorizer = Forbids(name)
        return await refused(one, join().request, 0)

    assert result_of(scenario) == code


def test_who_is_no_member_is_refused_by_name():
    async def scenario(one: DataBroker):
        enable_protocols(one)
        return await one.ask(beat("m", 3).request, 0)

    assert result_of(scenario).error_code == 69
