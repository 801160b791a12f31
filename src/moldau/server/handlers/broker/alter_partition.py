"""AlterPartition: a leader proposes who is in sync (KIP-497).

Versions 2-3: 2 topic ids, 3 epochs of brokers (KIP-903). The controller decides
(`controller.partitions.alter_partition`).
"""

from __future__ import annotations

from moldau.security.access import Operation
from moldau.server.broker import Broker
from moldau.server.call import Call
from moldau.server.controller_access import ask_controller
from moldau.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_controller(call, broker, Operation.CLUSTER_ACTION)
