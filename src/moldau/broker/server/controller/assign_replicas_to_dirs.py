"""AssignReplicasToDirs: a broker tells which replica lies in which directory (KIP-858).

Version 0. The controller decides (`controller.brokers.directories`).
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import ask_controller
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_controller(call, broker, Operation.CLUSTER_ACTION)
