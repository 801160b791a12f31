"""DeleteGroups through its handler."""

from __future__ import annotations

from moldau.protocol.messages.group.delete_groups import DeleteGroupsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.offsets.words import commit
from tests.broker.server.data_broker import DataBroker
from tests.broker.server.group_broker import Forbids, result_of


def test_each_group_has_its_own_answer():
    async def scenario(one: DataBroker):
        await one.ask(commit(7).request, 9)
        one.broker.authorizer = Forbids("secret")
        answer = await one.ask(DeleteGroupsRequest(groups_names=["g", "x", "secret", "g"]), 2)
        return [(one.group_id, one.error_code) for one in answer.results]

    assert result_of(scenario) == [
        ("g", 0),
        ("x", ErrorCode.GROUP_ID_NOT_FOUND),
        ("secret", ErrorCode.GROUP_AUTHORIZATION_FAILED),
    ]
