"""AlterUserScramCredentials: set and delete SCRAM credentials (KIP-554).

Version 0. The controller decides (`controller.security.scram`). Kafka refuses the request to a
caller who logged in with a token; that is left to access rules here.
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import ask_controller
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_controller(call, broker, Operation.ALTER)
