"""SyncGroup through its handler."""

from __future__ import annotations

from tests.broker.coordinator.group.classic.conversation import join, sync
from tests.broker.server.data_broker import DataBroker
from tests.broker.server.group_broker import result_of


def test_a_member_gets_what_the_leader_brings():
    async def scenario(one: DataBroker):
        joined = await one.ask(join().request, 3)
        member = joined.member_id
        return await one.ask(sync(member, assignments={member: b"a"}).request, 5)

    answer = result_of(scenario)
    assert (answer.error_code, answer.assignment) == (0, b"a")
