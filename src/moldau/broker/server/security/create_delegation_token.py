"""CreateDelegationToken: a short-lived secret to log in with (KIP-48).

Versions 1-3: 3 tokens for another principal (KIP-373), for which the caller needs the right to
create tokens of that user. The controller decides (`controller.security.tokens`).
"""

from __future__ import annotations

from typing import cast

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import forward, require
from moldau.broker.server.security.token_access import require_login
from moldau.protocol.messages.security.create_delegation_token import CreateDelegationTokenRequest
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    request = cast("CreateDelegationTokenRequest", call.request)
    require_login(call, broker)
    if request.owner_principal_name:
        owner = f"{request.owner_principal_type}:{request.owner_principal_name}"
        if owner != str(call.principal):
            require(call, broker, Operation.CREATE_TOKENS, Resource.USER, owner)
    return await forward(call, broker, request)
