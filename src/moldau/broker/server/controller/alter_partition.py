"""AlterPartition: a leader proposes who is in sync (KIP-497).

Versions 2-3: 2 topic ids, 3 epochs of brokers (KIP-903). The controller decides
(`controller.partitions.alter_partition`).
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import ask_controller
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_controller(call, broker, Operation.CLUSTER_ACTION)
