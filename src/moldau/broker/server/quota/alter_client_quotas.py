"""AlterClientQuotas: set and remove quotas (KIP-546).

Versions 0-1. The controller decides (`controller.cluster.quotas`).
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import ask_controller
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_controller(call, broker, Operation.ALTER_CONFIGS)
