"""ListGroups through its handler."""

from __future__ import annotations

from moldau.messages.group.list_groups import ListGroupsRequest
from moldau.security.access import CLUSTER_NAME
from tests.coordinator.group.offsets.words import commit
from tests.server.data_broker import DataBroker
from tests.server.group_broker import Forbids, play


def ask(*forbidden: str):
    async def story(one: DataBroker):
        for group in ("g", "h"):
            await one.ask(commit(7, group=group).request, 9)
        one.broker.authorizer = Forbids(*forbidden)
        answer = await one.ask(ListGroupsRequest(states_filter=[], types_filter=[]), 5)
        return [group.group_id for group in answer.groups]

    return play(story)


def test_who_may_describe_the_cluster_sees_all_groups():
    assert ask("g") == ["g", "h"]


def test_others_see_the_groups_that_they_may_describe():
    assert ask(CLUSTER_NAME, "g") == ["h"]
