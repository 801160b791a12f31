"""BrokerHeartbeat: a broker lives, and is told what it is (KIP-631).

Versions 0-2: 1 failed directories (KIP-858), 2 cordoned ones (KIP-1066). The controller decides
(`controller.brokers.heartbeat`).
"""

from __future__ import annotations

from moldau.security.access import Operation
from moldau.server.broker import Broker
from moldau.server.call import Call
from moldau.server.controller_access import ask_controller
from moldau.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_controller(call, broker, Operation.CLUSTER_ACTION)
