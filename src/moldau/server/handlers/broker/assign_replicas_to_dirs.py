"""AssignReplicasToDirs: a broker tells which replica lies in which directory (KIP-858).

Version 0. The controller decides (`controller.brokers.directories`).
"""

from __future__ import annotations

from moldau.security.access import Operation
from moldau.server.broker import Broker
from moldau.server.call import Call
from moldau.server.controller_access import ask_controller
from moldau.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_controller(call, broker, Operation.CLUSTER_ACTION)
