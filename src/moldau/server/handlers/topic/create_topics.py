"""CreateTopics: create topics, or check whether they could be.

Versions 2-7: 4 defaults of the cluster (KIP-464), 5 shape and settings in the answer (KIP-525),
7 topic ids. Who may create anything in the cluster may create every topic; others need the topic's
own permission. The controller decides (`controller.topics.create`).
"""

from __future__ import annotations

from typing import cast

from moldau.messages.topic.create_topics import CreateTopicsRequest, CreateTopicsResponse
from moldau.security.access import Operation, Resource
from moldau.server.broker import Broker
from moldau.server.call import Call
from moldau.server.controller_access import denial, forward, may
from moldau.wire.error_codes import ErrorCode
from moldau.wire.types import NULL_UUID

Answer = CreateTopicsResponse.CreatableTopicResult
NOT_SHOWN = -1


async def handle(call: Call, broker: Broker) -> CreateTopicsResponse:
    request = cast("CreateTopicsRequest", call.request)
    creates_all = may(call, broker, Operation.CREATE)
    allowed = [
        topic
        for topic in request.topics
        if creates_all
        or broker.authorizer.allows(call, Operation.CREATE, Resource.TOPIC, topic.name)
    ]
    refused = {topic.name: topic for topic in request.topics if topic not in allowed}
    permitted = CreateTopicsRequest(
        topics=allowed, timeout_ms=request.timeout_ms, validate_only=request.validate_only
    )
    response = cast("CreateTopicsResponse", await forward(call, broker, permitted))
    for answer in response.topics:
        _hide_settings(call, broker, answer)
    response.topics.extend(_refusal(call, name) for name in refused)
    return response


def _hide_settings(call: Call, broker: Broker, answer: Answer) -> None:
    """Whoever may create a topic may not necessarily see how it is set up."""
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
