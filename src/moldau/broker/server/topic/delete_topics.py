"""DeleteTopics: delete topics by name or id, with their data.

Versions 1-6: 5 error messages, 6 topic ids (KIP-516). The controller decides
(`controller.topics.delete`). To a client that may not even see a topic that it names by id, the
answer is without its name. Kafka shuffles the answers of version 6, so that their order gives
nothing away; here they are in the request's order, refusals last.
"""

from __future__ import annotations

from typing import cast

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import denial, forward, may
from moldau.broker.server.slices import Pace
from moldau.errors import KafkaError
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest, DeleteTopicsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID

Answer = DeleteTopicsResponse.DeletableTopicResult
Asked = DeleteTopicsRequest.DeleteTopicState
NAMES_ONLY_UP_TO = 5


async def handle(call: Call, broker: Broker) -> DeleteTopicsResponse:
    request = cast("DeleteTopicsRequest", call.request)
    allowed: list[Asked] = []
    refused: list[Answer] = []
    pace = Pace(broker)
    for topic in _asked(request, call.version):
        if pace.is_over:
            await pace.rest()
        refusal = _refusal(call, broker, topic)
        if refusal is None:
            allowed.append(topic)
        else:
            refused.append(refusal)
    permitted = DeleteTopicsRequest(
        topics=allowed,
        topic_names=[topic.name or "" for topic in allowed],
        timeout_ms=request.timeout_ms,
    )
    response = cast("DeleteTopicsResponse", await forward(call, broker, permitted))
    response.responses.extend(refused)
    return response


def _asked(request: DeleteTopicsRequest, version: int) -> list[Asked]:
    if version > NAMES_ONLY_UP_TO:
        return list(request.topics)
    return [Asked(name=name, topic_id=NULL_UUID) for name in request.topic_names]


def _refusal(call: Call, broker: Broker, topic: Asked) -> Answer | None:
    known = broker.metadata.image.topics.by_id.get(topic.topic_id)
    name = topic.name if known is None else known.name
    if name is None or may(call, broker, Operation.DELETE):
        return None
    sees = broker.authorizer.allows(call, Operation.DESCRIBE, Resource.TOPIC, name)
    if sees and broker.authorizer.allows(call, Operation.DELETE, Resource.TOPIC, name):
        return None
    error = denial(call, Operation.DELETE, Resource.TOPIC, name)
    if not sees and topic.name is None:
        return _answer(None, topic, KafkaError(error.code, None))
    return _answer(name, topic, error)


def _answer(name: str | None, topic: Asked, error: KafkaError) -> Answer:
    assert error.code != ErrorCode.NONE
    return Answer(
        name=name, topic_id=topic.topic_id, error_code=error.code, error_message=error.message
    )
