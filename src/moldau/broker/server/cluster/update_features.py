"""UpdateFeatures: raise or lower feature levels, all or none (KIP-584, KIP-778).

Versions 0-2: 1 dry runs and kinds of upgrade, 2 one answer for all. The controller decides
(`controller.cluster.features`).
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import ask_controller
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_controller(call, broker, Operation.ALTER)
