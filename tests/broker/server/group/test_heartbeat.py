"""Heartbeat through its handler."""

from __future__ import annotations

from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import heartbeat
from tests.broker.server.data_broker import DataBroker
from tests.broker.server.group_broker import Loading, result_of


def test_a_heartbeat_reaches_the_coordinator():
    async def scenario(one: DataBroker):
        return await one.ask(heartbeat("m").request, 4)

    assert result_of(scenario).error_code == ErrorCode.UNKNOWN_MEMBER_ID


def test_while_groups_are_loaded_every_heartbeat_is_fine():
    async def scenario(one: DataBroker):
        one.broker.groups = Loading()
        return await one.ask(heartbeat("m").request, 4)

    assert result_of(scenario).error_code == ErrorCode.NONE
