"""CreateTopics: create topics, or check whether they could be.

Versions 2-7: 4 defaults of the cluster (KIP-464), 5 shape and settings in the answer (KIP-525),
7 topic ids. Who may create anything in the cluster may create every topic; others need the topic's
own permission. The controller decides (`controller.topics.create`).
"""

from __future__ import annotations

from functools import partial
from typing import cast

from moldau.broker.controller.topics.create import METADATA_TOPIC
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import denial, forward, may
from moldau.broker.server.slices import Pace, each
from moldau.broker.server.topic.doubles import named_twice, twice
from moldau.errors import KafkaError
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest, CreateTopicsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID

Answer = CreateTopicsResponse.CreatableTopicResult
NOT_SHOWN = -1


async def handle(call: Call[CreateTopicsRequest], broker: Broker) -> CreateTopicsResponse:
    request = call.request
    creates_all = may(call, broker, Operation.CREATE)
    allows = broker.authorizer.allows
    allowed: list[CreateTopicsRequest.CreatableTopic] = []
    refused: list[str] = []
    pace = Pace(broker)
    doubled = await pace.run(named_twice(topic.name for topic in request.topics))
    for topic in request.topics:
        if topic.name in doubled or topic.name == METADATA_TOPIC:
            continue
        if creates_all or allows(call, Operation.CREATE, Resource.TOPIC, topic.name):
            allowed.append(topic)
        else:
            refused.append(topic.name)
        if pace.is_over:
            await pace.rest()
    permitted = CreateTopicsRequest(
        topics=allowed, timeout_ms=request.timeout_ms, validate_only=request.validate_only
    )
    response = CreateTopicsResponse(topics=[])
    if allowed:
        response = cast("CreateTopicsResponse", await forward(call, broker, permitted))
    await pace.run(each(partial(_hide_settings, call, broker), response.topics))
    response.topics += [_answer(name, twice()) for name in doubled]
    if METADATA_TOPIC not in doubled:
        response.topics += [_own_log() for topic in request.topics if topic.name == METADATA_TOPIC]
    response.topics += await pace.run(each(partial(_refusal, call), refused))
    return response


def _hide_settings(call: Call, broker: Broker, answer: Answer) -> None:
    """The right to create a topic is not the right to see its settings."""
    sees = broker.authorizer.allows(call, Operation.DESCRIBE_CONFIGS, Resource.TOPIC, answer.name)
    if answer.error_code == ErrorCode.NONE and not sees:
        answer.topic_config_error_code = ErrorCode.TOPIC_AUTHORIZATION_FAILED
        answer.num_partitions = NOT_SHOWN
        answer.replication_factor = NOT_SHOWN
        answer.configs = []


def _refusal(call: Call, name: str) -> Answer:
    return _answer(name, denial(call, Operation.CREATE, Resource.TOPIC, name))


def _own_log() -> Answer:
    text = f"Creation of internal topic {METADATA_TOPIC} is prohibited."
    return _answer(METADATA_TOPIC, KafkaError(ErrorCode.INVALID_REQUEST, text))


def _answer(name: str, error: KafkaError) -> Answer:
    return Answer(
        name=name,
        topic_id=NULL_UUID,
        error_code=error.code,
        error_message=error.message,
        configs=[],
    )
