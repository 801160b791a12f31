"""ElectLeaders: preferred or unclean elections, now (KIP-183, KIP-460).

Versions 0-2: 1 unclean elections and an error for the whole. The controller decides
(`controller.partitions.elections`); a broker's answer does not wait for leaders to take over.
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import ask_controller
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_controller(call, broker, Operation.ALTER)
