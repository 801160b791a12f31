"""BrokerHeartbeat: a broker lives, and gets its state (KIP-631).

Versions 0-2: 1 failed directories (KIP-858), 2 cordoned ones (KIP-1066). The controller decides
(`controller.brokers.heartbeat`).
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import ask_controller
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_controller(call, broker, Operation.CLUSTER_ACTION)
