"""AlterPartitionReassignments: begin, change or give up moves of partitions (KIP-455).

Versions 0-1: 1 guards the replication factor (KIP-860). The controller decides
(`controller.partitions.moves`).
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import ask_controller
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_controller(call, broker, Operation.ALTER)
