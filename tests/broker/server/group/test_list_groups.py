"""ListGroups through its handler."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.classic.states import ClassicState
from moldau.broker.coordinator.group.group import GroupType
from moldau.broker.security.access import CLUSTER_NAME
from moldau.broker.server.group.list_groups import AT_ONCE, STATES, TYPES, handle
from moldau.broker.server.spliced import SplicedAnswer
from moldau.protocol.messages.group.list_groups import ListGroupsRequest, ListGroupsResponse
from moldau.protocol.wire.compile import decode, encode
from tests.broker.coordinator.group.offsets.words import commit
from tests.broker.server.asking import call_of
from tests.broker.server.data_broker import DataBroker
from tests.broker.server.group_broker import Forbids, result_of


def ask(*forbidden: str):
    async def scenario(one: DataBroker):
        for group in ("g", "h"):
            await one.ask(commit(7, group=group).request, 9)
        one.broker.authorizer = Forbids(*forbidden)
        answer = await one.ask(ListGroupsRequest(states_filter=[], types_filter=[]), 5)
        return [group.group_id for group in answer.groups]

    return result_of(scenario)


def test_who_may_describe_the_cluster_sees_all_groups():
    assert ask("g") == ["g", "h"]


def test_others_see_the_groups_that_they_may_describe():
    assert ask(CLUSTER_NAME, "g") == ["h"]


@pytest.mark.parametrize("version", [0, 5])
def test_many_groups_are_encoded_a_little_at_a_time(version):
    names = [f"group-{number:03}" for number in range(2 * AT_ONCE + 1)]

    async def scenario(one: DataBroker):
        for name in names:
            await one.ask(commit(7, group=name).request, 9)
        request = ListGroupsRequest(states_filter=[], types_filter=[])
        answer = await handle(call_of(request, version), one.broker)
        assert isinstance(answer, SplicedAnswer)
        return answer.encode()

    found = decode(ListGroupsResponse, version, result_of(scenario))
    assert sorted(group.group_id for group in found.groups) == names
    assert encode(found, version) == result_of(scenario)


def listed(states: list[str], types: list[str]) -> list[str]:
    async def scenario(one: DataBroker):
        await one.ask(commit(7, group="g").request, 9)
        request = ListGroupsRequest(states_filter=states, types_filter=types)
        return [group.group_id for group in (await one.ask(request, 5)).groups]

    return result_of(scenario)


def test_filters_are_read_in_any_case_and_what_is_no_state_matches_nothing():
    assert listed(["EMPTY", "nonsense"], []) == listed([], ["Classic"]) == ["g"]
    assert listed(["nonsense"], []) == listed([], ["nonsense"]) == listed(["Stable"], []) == []


def test_every_state_and_type_can_be_asked_for():
    """Those that a filter lets through are those that groups can have."""
    states = {state.value.lower() for state in ClassicState} | {
        "assigning", "empty", "notready", "reconciling", "stable",
    }  # fmt: skip
    assert states == STATES
    assert {kind.value for kind in GroupType} == TYPES
