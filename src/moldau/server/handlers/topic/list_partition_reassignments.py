"""ListPartitionReassignments: the moves that are under way (KIP-455).

Version 0. The controller answers (`controller.partitions.moves`).
"""

from __future__ import annotations

from moldau.security.access import Operation
from moldau.server.broker import Broker
from moldau.server.call import Call
from moldau.server.controller_access import ask_controller
from moldau.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_controller(call, broker, Operation.DESCRIBE)
