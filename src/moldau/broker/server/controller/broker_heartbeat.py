"""BrokerHeartbeat: a broker lives, and gets its state (KIP-631).

Versions 0-2: 1 failed directories (KIP-858), 2 cordoned ones (KIP-1066). The controller decides
(`controller.brokers.heartbeat`).
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import ask_controller
from moldau.protocol.messages.broker.broker_heartbeat import BrokerHeartbeatRequest
from moldau.protocol.wire.schema import Message


async def handle(call: Call[BrokerHeartbeatRequest], broker: Broker) -> Message:
    answer = await ask_controller(call, broker, Operation.CLUSTER_ACTION)
    request = call.request
    if broker.early_fencing is not None:
        broker.early_fencing.heartbeat(call.connection_id, request.broker_id, request.broker_epoch)
    return answer
