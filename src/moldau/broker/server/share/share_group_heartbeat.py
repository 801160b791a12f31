"""ShareGroupHeartbeat: join a share group, stay in it, get an assignment.

Version 1 (KIP-932). The group coordinator answers. Who subscribes to a topic must be allowed to
describe it.
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import ask_group, may_read_topic
from moldau.broker.server.share.acknowledging import check_member
from moldau.errors import KafkaError
from moldau.protocol.messages.share.share_group_heartbeat import (
    ShareGroupHeartbeatRequest,
    ShareGroupHeartbeatResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode


async def handle(
    call: Call[ShareGroupHeartbeatRequest], broker: Broker
) -> ShareGroupHeartbeatResponse:
    request = call.request
    check_member(call, broker, request.group_id, request.member_id)
    for name in request.subscribed_topic_names or ():
        if not may_read_topic(call, broker, name, Operation.DESCRIBE):
            raise KafkaError(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
    return await ask_group(call, broker, request.group_id, ShareGroupHeartbeatResponse)
