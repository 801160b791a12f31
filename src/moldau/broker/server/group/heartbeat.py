"""Heartbeat: a classic member lives.

Versions 0-4. While the coordinator loads its groups every heartbeat is taken for good: no session
runs yet, and an error would make clients look for another coordinator.
"""

from __future__ import annotations

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import ask_group, check_group
from moldau.errors import KafkaError
from moldau.protocol.messages.group.heartbeat import HeartbeatRequest, HeartbeatResponse
from moldau.protocol.wire.error_codes import ErrorCode


async def handle(call: Call[HeartbeatRequest], broker: Broker) -> HeartbeatResponse:
    request = call.request
    check_group(call, broker, request.group_id)
    try:
        return await ask_group(call, broker, request.group_id, HeartbeatResponse)
    except KafkaError as error:
        if error.code != ErrorCode.COORDINATOR_LOAD_IN_PROGRESS:
            raise
        return HeartbeatResponse(throttle_time_ms=0, error_code=ErrorCode.NONE)
