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
from moldau.broker.server.topic.doubles import named_twice, twice
from moldau.errors import KafkaError
from moldau.protocol.messages.topic.create_partitions import (
    CreatePartitionsRequest,
    CreatePartitionsResponse,
)

Answer = CreatePartitionsResponse.CreatePartitionsTopicResult


async def handle(call: Call[CreatePartitionsRequest], broker: Broker) -> CreatePartitionsResponse:
    request = call.request
    allows = broker.authorizer.allows
    allowed: list[CreatePartitionsRequest.CreatePartitionsTopic] = []
    refused: list[str] = []
    pace = Pace(broker)
    doubled = await pace.run(named_twice(topic.name for topic in request.topics))
    for topic in request.topics:
        if topic.name in doubled:
            continue
        if allows(call, Operation.ALTER, Resource.TOPIC, topic.name):
            allowed.append(topic)
        else:
            refused.append(topic.name)
        if pace.is_over:
            await pace.rest()
    permitted = CreatePartitionsRequest(
        topics=allowed, timeout_ms=request.timeout_ms, validate_only=request.validate_only
    )
    response = CreatePartitionsResponse(throttle_time_ms=0, results=[])
    if allowed:
        response = cast("CreatePartitionsResponse", await forward(call, broker, permitted))
    response.results += [_answer(name, twice()) for name in doubled]
    for name in refused:
        error = denial(call, Operation.ALTER, Resource.TOPIC, name)
        response.results.append(_answer(name, error))
    return response


def _answer(name: str, error: KafkaError) -> Answer:
    return Answer(name=name, error_code=error.code, error_message=error.message)
