"""LeaveGroup: members go, or are sent away.

Versions 0-5. Up to version 2 there is one member, and its error is that of the answer.
"""

from __future__ import annotations

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import ask_group, check_group
from moldau.protocol.messages.group.leave_group import LeaveGroupRequest, LeaveGroupResponse


async def handle(call: Call[LeaveGroupRequest], broker: Broker) -> LeaveGroupResponse:
    request = call.request
    check_group(call, broker, request.group_id)
    return await ask_group(call, broker, request.group_id, LeaveGroupResponse)
