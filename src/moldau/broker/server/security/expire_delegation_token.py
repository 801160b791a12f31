"""ExpireDelegationToken: let a token end at another time, or now (KIP-48).

Versions 1-2. The controller decides (`controller.security.tokens`).
"""

from __future__ import annotations

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import forward
from moldau.broker.server.security.token_access import AT_NO_TIME, has_logged_in
from moldau.protocol.messages.security.expire_delegation_token import ExpireDelegationTokenResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    if not has_logged_in(call, broker):
        return ExpireDelegationTokenResponse(
            error_code=ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED,
            expiry_timestamp_ms=AT_NO_TIME,
            throttle_time_ms=0,
        )
    return await forward(call, broker, call.request)
