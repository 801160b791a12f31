"""Vote: a voter asks for this node's vote, or its opinion (KIP-595).

Controllers alone. Versions 0-2: 1 directory ids (KIP-853), 2 pre-votes (KIP-996). The decision is
`quorum.election`'s; a real vote is on the disk before the answer leaves.
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.quorum.access import ask_quorum
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_quorum(call, broker, Operation.CLUSTER_ACTION)
