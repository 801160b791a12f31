"""SyncGroup: the assignment of a classic generation.

Versions 0-5. The coordinator decides; the answer may wait for the leader's.
"""

from __future__ import annotations

from moldau.broker.coordinator.group.request_checks import check_protocol_is_named
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import ask_group, check_group
from moldau.protocol.messages.group.sync_group import SyncGroupRequest, SyncGroupResponse


async def handle(call: Call[SyncGroupRequest], broker: Broker) -> SyncGroupResponse:
    request = call.request
    check_protocol_is_named(request, call.version)
    check_group(call, broker, request.group_id)
    return await ask_group(call, broker, request.group_id, SyncGroupResponse)
