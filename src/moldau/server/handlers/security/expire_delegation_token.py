"""ExpireDelegationToken: let a token end at another time, or now (KIP-48).

Versions 1-2. The controller decides (`controller.security.tokens`).
"""

from __future__ import annotations

from moldau.server.broker import Broker
from moldau.server.call import Call
from moldau.server.controller_access import forward
from moldau.server.token_access import require_login
from moldau.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    require_login(call, broker)
    return await forward(call, broker, call.request)
