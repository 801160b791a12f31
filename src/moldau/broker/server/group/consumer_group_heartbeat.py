"""ConsumerGroupHeartbeat: be a member of a consumer group (KIP-848).

Versions 0-1; version 1 adds patterns that are matched here, and members that name themselves
(KIP-1082). What the group's coordinator decides is in `coordinator.group.consumer`. A pattern
matches only topics that the member may describe.
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import ask_group, check_group, may_read_topic
from moldau.broker.server.group.protocols import CONSUMER, check_protocol
from moldau.errors import KafkaError
from moldau.protocol.messages.group.consumer_group_heartbeat import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode


async def handle(
    call: Call[ConsumerGroupHeartbeatRequest], broker: Broker
) -> ConsumerGroupHeartbeatResponse:
    request = call.request
    check_protocol(broker, CONSUMER)
    check_group(call, broker, request.group_id)
    for topic in request.subscribed_topic_names or ():
        if not may_read_topic(call, broker, topic, Operation.DESCRIBE):
            raise KafkaError(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
    return await ask_group(call, broker, request.group_id, ConsumerGroupHeartbeatResponse)
