"""EndQuorumEpoch: a leader says that it stops, and who should follow (KIP-595).

Controllers alone. Versions 0-1: 1 candidates with their directories (KIP-853). The decision is
`quorum.following`'s.
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.quorum.access import ask_quorum
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_quorum(call, broker, Operation.CLUSTER_ACTION)
