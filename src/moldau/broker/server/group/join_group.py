"""JoinGroup: into the next generation of a classic group.

Versions 0-9. The coordinator decides; the answer may take as long as the rebalance. Versions below
7 cannot say that there is no protocol and get an empty name; later ones get null for an empty one.
Of what is refused before its group is looked at, only two errors give the member's id back.
"""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.answers import join_refusal
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import ask_group, check_group
from moldau.errors import KafkaError
from moldau.protocol.messages.group.join_group import JoinGroupRequest, JoinGroupResponse
from moldau.protocol.wire.error_codes import ErrorCode

NULL_PROTOCOL_SINCE = 7
ECHOING = (ErrorCode.INVALID_GROUP_ID, ErrorCode.INVALID_SESSION_TIMEOUT)
"""Refusals before a group is looked for that still say whose request they answer."""


async def handle(call: Call[JoinGroupRequest], broker: Broker) -> JoinGroupResponse:
    request = call.request
    try:
        check_group(call, broker, request.group_id)
        response = await ask_group(call, broker, request.group_id, JoinGroupResponse)
    except KafkaError as error:
        echoed = request.member_id if error.code in ECHOING else ""
        response = join_refusal(echoed, error.code)
    nothing = "" if call.version < NULL_PROTOCOL_SINCE else None
    response.protocol_name = response.protocol_name or nothing
    return response
