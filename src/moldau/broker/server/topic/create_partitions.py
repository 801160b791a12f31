"""CreatePartitions: topics get more partitions.

Versions 0-3. The controller decides (`controller.topics.grow`).
"""

from __future__ import annotations

from typing import cast

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import denial, forward
from moldau.broker.server.slices import Pace
from moldau.protocol.messages.topic.create_partitions import (
    CreatePartitionsRequest,
    CreatePartitionsResponse,
)


async def handle(call: Call, broker: Broker) -> CreatePartitionsResponse:
    request = cast("CreatePartitionsRequest", call.request)
    allows = broker.authorizer.allows
    allowed: list[CreatePartitionsRequest.CreatePartitionsTopic] = []
    refused: dict[str, None] = {}
    pace = Pace(broker)
    for topic in request.topics:
        if allows(call, Operation.ALTER, Resource.TOPIC, topic.name):
            allowed.append(topic)
        else:
            refused[topic.name] = None
        if pace.is_over:
            await pace.rest()
    permitted = CreatePartitionsRequest(
        topics=allowed, timeout_ms=request.timeout_ms, validate_only=request.validate_only
    )
    response = CreatePartitionsResponse(throttle_time_ms=0, results=[])
    if allowed or not refused:
        response = cast("CreatePartitionsResponse", await forward(call, broker, permitted))
    for name in refused:
        error = denial(call, Operation.ALTER, Resource.TOPIC, name)
        response.results.append(
            CreatePartitionsResponse.CreatePartitionsTopicResult(
                name=name, error_code=error.code, error_message=error.message
            )
        )
    return response
