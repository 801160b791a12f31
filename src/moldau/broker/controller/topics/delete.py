"""Topics are deleted, by name or by id."""

from __future__ import annotations

from moldau.broker.controller.decision import Call, Deciding, Decision
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.topics import TopicState
from moldau.errors import KafkaError
from moldau.platform.slices import counted
from moldau.protocol.messages.stored.metadata_topics import RemoveTopicRecord
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest, DeleteTopicsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID

NAMES_ONLY_UP_TO_VERSION = 5
DISABLED_SINCE_VERSION = 3
"""Of the request: before, a cluster that forbids deletion answers INVALID_REQUEST."""

AskedTopic = DeleteTopicsRequest.DeleteTopicState
TopicAnswer = DeleteTopicsResponse.DeletableTopicResult


def delete_topics(request: DeleteTopicsRequest, situation: Situation, call: Call) -> Deciding:
    """Remove each topic that is there."""
    if not situation.settings.delete_topic_enable:
        old = call.version < DISABLED_SINCE_VERSION
        code = ErrorCode.INVALID_REQUEST if old else ErrorCode.TOPIC_DELETION_DISABLED
        raise KafkaError(code, "this cluster has delete.topic.enable=false")
    asked = list(request.topics)
    if call.version <= NAMES_ONLY_UP_TO_VERSION:
        asked = [AskedTopic(name=name, topic_id=NULL_UUID) for name in request.topic_names]
    keys = yield from counted(_key(topic, situation) for topic in asked if _is_legal(topic))
    records: list[RemoveTopicRecord] = []
    answers: list[TopicAnswer] = []
    doubled: dict[tuple[str | None, bytes], None] = {}
    for topic in asked:
        key = _key(topic, situation)
        try:
            _check(topic)
            if keys[key] > 1:
                doubled[key] = None
            else:
                answers.append(_remove(_known(topic, key, situation), records, call))
        except KafkaError as error:
            answers.append(_failure(topic.name, topic.topic_id, error))
        yield
    twice = KafkaError(ErrorCode.INVALID_REQUEST, "the request names the topic twice")
    answers += [_failure(name, topic_id, twice) for name, topic_id in doubled]
    return Decision(records, DeleteTopicsResponse(responses=answers))


def _key(topic: AskedTopic, situation: Situation) -> tuple[str | None, bytes]:
    """The same for both ways to name a topic that is there."""
    if topic.name is not None and topic.topic_id == NULL_UUID:
        known = situation.image.topics.by_name.get(topic.name)
    else:
        known = situation.image.topics.by_id.get(topic.topic_id)
    return (known.name, known.topic_id) if known else (topic.name, topic.topic_id)


def _is_legal(topic: AskedTopic) -> bool:
    return (topic.name is None) != (topic.topic_id == NULL_UUID)


def _check(topic: AskedTopic) -> None:
    if topic.name is None and topic.topic_id == NULL_UUID:
        raise KafkaError(ErrorCode.INVALID_REQUEST, "neither a name nor an id is given")
    if topic.name is not None and topic.topic_id != NULL_UUID:
        raise KafkaError(ErrorCode.INVALID_REQUEST, "both a name and an id are given; give one")


def _known(topic: AskedTopic, key: tuple[str | None, bytes], situation: Situation) -> TopicState:
    known = situation.image.topics.by_id.get(key[1])
    if known is not None:
        return known
    if topic.name is None:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_ID, "no topic has this id")
    raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"there is no topic {topic.name!r}")


def _remove(topic: TopicState, records: list[RemoveTopicRecord], call: Call) -> TopicAnswer:
    answer = TopicAnswer(
        name=topic.name, topic_id=topic.topic_id, error_code=ErrorCode.NONE, error_message=None
    )
    try:
        call.charge(len(topic.partitions))
    except KafkaError as error:
        answer.error_code, answer.error_message = error.code, error.message
    else:
        records.append(RemoveTopicRecord(topic_id=topic.topic_id))
    return answer


def _failure(name: str | None, topic_id: bytes, error: KafkaError) -> TopicAnswer:
    return TopicAnswer(
        name=name, topic_id=topic_id, error_code=error.code, error_message=error.message
    )
