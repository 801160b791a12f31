"""JoinGroup: into the next generation of a classic group.

Versions 0-9. The coordinator decides; the answer may take as long as the rebalance. Versions below
7 cannot say that there is no protocol and get an empty name.
"""

from __future__ import annotations

from typing import cast

from moldau.coordinator.group.classic.answers import join_refusal
from moldau.errors import KafkaError
from moldau.messages.group.join_group import JoinGroupRequest, JoinGroupResponse
from moldau.server.asking_groups import ask_group, check_group
from moldau.server.broker import Broker
from moldau.server.call import Call

NULL_PROTOCOL_SINCE = 7


async def handle(call: Call, broker: Broker) -> JoinGroupResponse:
    request = cast("JoinGroupRequest", call.request)
    try:
        check_group(call, broker, request.group_id)
        response = await ask_group(call, broker, request.group_id, JoinGroupResponse)
    except KafkaError as error:
        response = join_refusal(request.member_id, error.code)
    if call.version < NULL_PROTOCOL_SINCE:
        response.protocol_name = response.protocol_name or ""
    return response
