"""LeaveGroup through its handler."""

from __future__ import annotations

from tests.broker.coordinator.group.classic.conversation import join, leave
from tests.broker.server.data_broker import DataBroker
from tests.broker.server.group_broker import result_of


def test_a_member_leaves():
    async def scenario(one: DataBroker):
        member = (await one.ask(join().request, 3)).member_id
        return [
            await one.ask(leave(member, version=version).request, version) for version in (2, 2)
        ]

    assert [answer.error_code for answer in result_of(scenario)] == [0, 25]
