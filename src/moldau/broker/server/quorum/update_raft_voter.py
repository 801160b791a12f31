"""UpdateRaftVoter: a voter says where it listens and what it supports (KIP-853).

Controllers alone. The decision is `quorum.voter_changes`'.
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.quorum.access import ask_quorum
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_quorum(call, broker, Operation.CLUSTER_ACTION)
