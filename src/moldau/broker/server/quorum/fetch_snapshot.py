"""FetchSnapshot: a piece of a snapshot of the metadata log (KIP-630).

Controllers alone. Versions 0-1: 1 the caller's directory and the leader's endpoints (KIP-853).
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.quorum.access import ask_quorum
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_quorum(call, broker, Operation.CLUSTER_ACTION)
