"""CreateTopics: create topics, or check whether they could be.

Versions 2-7: 4 defaults of the cluster (KIP-464), 5 shape and settings in the answer (KIP-525),
7 topic ids. Who may create anything in the cluster may create every topic; others need the topic's
own permission. The controller decides (`controller.topics.create`).
"""

from __future__ import annotations

from functools import partial
from typing import cast

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import denial, forward, may
from moldau.broker.server.slices import Pace, each
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest, CreateTopicsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID

Answer = CreateTopicsResponse.CreatableTopicResult
NOT_SHOWN = -1


async def handle(call: Call, broker: Broker) -> CreateTopicsResponse:
    request = cast("CreateTopicsRequest", call.request)
    creates_all = may(call, broker, Operation.CREATE)
    allows = broker.authorizer.allows
    allowed: list[CreateTopicsRequest.CreatableTopic] = []
    refused: dict[str, None] = {}
    pace = Pace(broker)
    for topic in request.topics:
        if creates_all or allows(call, Operation.CREATE, Resource.TOPIC, topic.name):
            allowed.append(topic)
        else:
            refused[topic.name] = None
        if pace.is_over:
            await pace.rest()
    permitted = CreateTopicsRequest(
        topics=allowed, timeout_ms=request.timeout_ms, validate_only=request.validate_only
    )
    response = CreateTopicsResponse(topics=[])
    if allowed or not refused:
        response = cast("CreateTopicsResponse", await forward(call, broker, permitted))
    await pace.run(each(partial(_hide_settings, call, broker), response.topics))
    response.topics += await pace.run(each(partial(_refusal, call), refused))
    return response


def _hide_settings(call: Call, broker: Broker, answer: Answer) -> None:
    """The right to create a topic is not the right to see its settings."""
    sees = broker.authorizer.allows(call, Operation.DESCRIBE_CONFIGS, Resource.TOPIC, answer.name)
    if answer.error_code == ErrorCode.NONE and not sees:
        answer.topic_config_error_code = ErrorCode.TOPIC_AUTHORIZATION_FAILED
        answer.num_partitions = NOT_SHOWN
        answer.replication_factor = NOT_SHOWN
        answer.configs = None


def _refusal(call: Call, name: str) -> Answer:
    error = denial(call, Operation.CREATE, Resource.TOPIC, name)
    return Answer(
        name=name,
        topic_id=NULL_UUID,
        error_code=error.code,
        error_message=error.message,
        configs=[],
    )
