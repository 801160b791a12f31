"""BrokerRegistration: a broker enters the cluster (KIP-631).

Versions 0-4: 2 directories (KIP-858), 3 proof of a clean stop (KIP-966). The controller decides
(`controller.brokers.registration`).
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import ask_controller
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_controller(call, broker, Operation.CLUSTER_ACTION)
