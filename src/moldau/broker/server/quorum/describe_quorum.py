"""DescribeQuorum: leader, high watermark, voters and observers (KIP-595).

Brokers pass it on to the leader. Versions 0-2: 1 times of the last fetch (KIP-836), 2 directory
ids and endpoints (KIP-853).
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.quorum.access import ask_quorum
from moldau.protocol.wire.schema import Message


async def handle(call: Call, broker: Broker) -> Message:
    return await ask_quorum(call, broker, Operation.DESCRIBE)
