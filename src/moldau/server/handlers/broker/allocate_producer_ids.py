"""AllocateProducerIds: the next block of producer ids for a broker (KIP-730).

Version 0. The controller decides (`controller.cluster.producer_ids`).
"""

from __future__ import annotations

from moldau.security.access import Operation
from moldau.server.broker import Broker
from moldau.server.call import Call
from moldau.server.controller_access import ask_controller
from moldau.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_controller(call, broker, Operation.CLUSTER_ACTION)
