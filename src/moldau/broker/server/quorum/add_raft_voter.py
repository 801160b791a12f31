"""AddRaftVoter: a controller is to vote (KIP-853).

Brokers pass it on to the leader. Versions 0-1: 1 may be answered before the change is committed
(KIP-1186). The decision is `quorum.voter_changes`'.
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.quorum.access import ask_quorum
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_quorum(call, broker, Operation.ALTER)
