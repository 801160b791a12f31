"""Topics get more partitions; what is there stays where it is."""

from __future__ import annotations

from collections.abc import Sequence

from moldau.broker.controller.decision import Call, Deciding, Decision
from moldau.broker.controller.partitions.assignment import (
    check_replicas,
    first_record,
    place_replicas,
)
from moldau.broker.controller.situation import Situation
from moldau.broker.controller.topics.create import RECORDS_MAX
from moldau.broker.metadata.topics import TopicState
from moldau.errors import KafkaError
from moldau.platform.slices import counted
from moldau.protocol.messages.stored.metadata_topics import PartitionRecord
from moldau.protocol.messages.topic.create_partitions import (
    CreatePartitionsRequest,
    CreatePartitionsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

AskedTopic = CreatePartitionsRequest.CreatePartitionsTopic
TopicAnswer = CreatePartitionsResponse.CreatePartitionsTopicResult


def create_partitions(
    request: CreatePartitionsRequest, situation: Situation, call: Call
) -> Deciding:
    """Add what each topic lacks to the number that is asked for."""
    counts = yield from counted(topic.name for topic in request.topics)
    records: list[PartitionRecord] = []
    answers: dict[str, TopicAnswer] = {}
    for topic in request.topics:
        try:
            if counts[topic.name] > 1:
                raise KafkaError(ErrorCode.INVALID_REQUEST, "the request names the topic twice")
            records += _grow(topic, situation, call)
        except KafkaError as error:
            answers[topic.name] = _answer(topic.name, error.code, error.message)
        else:
            answers[topic.name] = _answer(topic.name, ErrorCode.NONE, None)
        yield
    if len(records) > RECORDS_MAX:
        text = (
            f"the request adds {len(records)} partitions; {RECORDS_MAX} is the limit, so split it"
        )
        raise KafkaError(ErrorCode.POLICY_VIOLATION, text)
    reply = CreatePartitionsResponse(throttle_time_ms=0, results=list(answers.values()))
    return Decision([] if request.validate_only else records, reply)


def _grow(asked: AskedTopic, situation: Situation, call: Call) -> list[PartitionRecord]:
    topic = situation.image.topics.by_name.get(asked.name)
    if topic is None:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    before = len(topic.partitions)
    if asked.count <= before:
        text = f"Topic already has {before} partition(s)."
        if asked.count < before:
            text = (
                f"The topic {asked.name} currently has {before} partition(s); {asked.count} would "
                "not be an increase."
            )
        raise KafkaError(ErrorCode.INVALID_PARTITIONS, text)
    # Before anything is placed: an absurd number must not cost anything.
    if asked.count - before > RECORDS_MAX:
        text = f"{asked.count - before} partitions at once; {RECORDS_MAX} is the limit, so split it"
        raise KafkaError(ErrorCode.POLICY_VIOLATION, text)
    placed = _placed(asked, topic, situation, call)
    return [
        first_record(topic.topic_id, index, replicas, situation)
        for index, replicas in enumerate(placed, start=before)
    ]


def _placed(
    asked: AskedTopic, topic: TopicState, situation: Situation, call: Call
) -> Sequence[Sequence[int]]:
    count = asked.count - len(topic.partitions)
    replication_factor = len(next(iter(topic.partitions.values())).replicas)
    if asked.assignments is not None and len(asked.assignments) != count:
        text = (
            f"Attempted to add {count} additional partition(s), but only "
            f"{len(asked.assignments)} assignment(s) were specified."
        )
        raise KafkaError(ErrorCode.INVALID_REPLICA_ASSIGNMENT, text)
    call.charge(count)
    if asked.assignments is None:
        return place_replicas(count, replication_factor, situation)
    for assignment in asked.assignments:
        check_replicas(assignment.broker_ids, situation, replication_factor)
    return [assignment.broker_ids for assignment in asked.assignments]


def _answer(name: str, code: int, message: str | None) -> TopicAnswer:
    return TopicAnswer(name=name, error_code=code, error_message=message)
