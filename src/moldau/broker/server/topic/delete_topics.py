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
from moldau.broker.server.topic.doubles import named_twice, twice
from moldau.errors import KafkaError
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest, DeleteTopicsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID

Answer = DeleteTopicsResponse.DeletableTopicResult
Asked = DeleteTopicsRequest.DeleteTopicState
NAMES_ONLY_UP_TO = 5
NOTHING_MS = 30_000
"""For a request of which nothing is left to decide, but whether topics may be deleted at all."""


async def handle(call: Call[DeleteTopicsRequest], broker: Broker) -> DeleteTopicsResponse:
    request = call.request
    allowed: list[Asked] = []
    refused: list[Answer] = []
    pace = Pace(broker)
    asked = _asked(request, call.version)
    doubled = await pace.run(named_twice(_names(topic) for topic in asked if _is_legal(topic)))
    once = [topic for topic in asked if _names(topic) not in doubled]
    for topic in once:
        if pace.is_over:
            await pace.rest()
        refusal = _refusal(call, broker, topic)
        if refusal is None:
            allowed.append(topic)
        else:
            refused.append(refusal)
    has_legal = any(_is_legal(topic) for topic in once)
    permitted = _request(allowed, request.timeout_ms if has_legal else NOTHING_MS, call.version)
    response = cast("DeleteTopicsResponse", await forward(call, broker, permitted))
    response.responses += [
        _answer(name, Asked(name=name, topic_id=topic_id), twice()) for name, topic_id in doubled
    ]
    response.responses += refused
    return response


def _asked(request: DeleteTopicsRequest, version: int) -> list[Asked]:
    if version > NAMES_ONLY_UP_TO:
        return list(request.topics)
    return [Asked(name=name, topic_id=NULL_UUID) for name in request.topic_names]


def _request(topics: list[Asked], timeout_ms: int, version: int) -> DeleteTopicsRequest:
    """For these topics alone; another node may decide, so it is one that this version can hold."""
    if version > NAMES_ONLY_UP_TO:
        return DeleteTopicsRequest(topics=topics, topic_names=[], timeout_ms=timeout_ms)
    names = [topic.name or "" for topic in topics]
    return DeleteTopicsRequest(topics=[], topic_names=names, timeout_ms=timeout_ms)


def _names(topic: Asked) -> tuple[str | None, bytes]:
    return topic.name, topic.topic_id


def _is_legal(topic: Asked) -> bool:
    return (topic.name is None) != (topic.topic_id == NULL_UUID)


def _refusal(call: Call, broker: Broker, topic: Asked) -> Answer | None:
    if topic.name is None:
        return _refusal_by_id(call, broker, topic)
    if topic.topic_id != NULL_UUID or may(call, broker, Operation.DELETE):
        return None
    sees, deletes = _rights(call, broker, topic.name)
    # With DESCRIBE alone the answer is at least UNKNOWN_TOPIC_OR_PARTITION where it is not there.
    is_there = topic.name in broker.metadata.image.topics.by_name
    if sees and (deletes or not is_there):
        return None
    error = denial(call, Operation.DELETE, Resource.TOPIC, topic.name)
    return _answer(topic.name, topic, error)


def _refusal_by_id(call: Call, broker: Broker, topic: Asked) -> Answer | None:
    known = broker.metadata.image.topics.by_id.get(topic.topic_id)
    if known is None or may(call, broker, Operation.DELETE):
        return None
    sees, deletes = _rights(call, broker, known.name)
    if deletes:
        return None
    error = denial(call, Operation.DELETE, Resource.TOPIC, known.name)
    return _answer(known.name if sees else None, topic, error if sees else _nameless(error))


def _rights(call: Call, broker: Broker, name: str) -> tuple[bool, bool]:
    """Whether the caller may see the topic, and delete it."""
    allows = broker.authorizer.allows
    sees = allows(call, Operation.DESCRIBE, Resource.TOPIC, name)
    return sees, allows(call, Operation.DELETE, Resource.TOPIC, name)


def _nameless(error: KafkaError) -> KafkaError:
    return KafkaError(error.code, "the topic of this id is not this user's to delete")


def _answer(name: str | None, topic: Asked, error: KafkaError) -> Answer:
    assert error.code != ErrorCode.NONE
    return Answer(
        name=name, topic_id=topic.topic_id, error_code=error.code, error_message=error.message
    )
