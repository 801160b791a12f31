"""Fetch on a controller's listener: the metadata log, for voters and observers (KIP-595).

The same API as for other topics, answered by the quorum: from the log to its end, with the place
where the two logs part, or with the snapshot that is needed first. A fetch that finds nothing
waits for as long as it says.
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.quorum.access import ask_quorum
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_quorum(call, broker, Operation.CLUSTER_ACTION)
