"""Topics are created.

For each: its record, its settings, its partitions, in this order. A request creates what it can;
each topic succeeds or fails by itself, except that too many partitions at once fail all. What could
be created counts against the client's quota, even with `validate_only`.

Replicas are placed by hand (an assignment for each partition, from 0 without gaps) or by the
controller; -1 leaves the number of partitions or replicas to the cluster's settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from moldau.broker.controller.configs.effective import layers
from moldau.broker.controller.configs.min_isr import clear_elr_records
from moldau.broker.controller.configs.validation import check_settings
from moldau.broker.controller.decision import Call, Deciding, Decision
from moldau.broker.controller.partitions.assignment import (
    check_replicas,
    first_record,
    place_replicas,
)
from moldau.broker.controller.situation import Situation
from moldau.broker.controller.topics.names import check_name, metric_name
from moldau.broker.metadata.settings import TOPIC
from moldau.config.describing import describe_topic
from moldau.errors import KafkaError
from moldau.platform.slices import counted
from moldau.protocol.messages.stored.metadata_cluster import ConfigRecord
from moldau.protocol.messages.stored.metadata_topics import PartitionRecord, TopicRecord
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest, CreateTopicsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.types import NULL_UUID
from moldau.protocol.wire.uuids import METADATA_TOPIC_ID

PARTITIONS_MAX = 10_000
"""By one request: its records must fit into one transaction of the quorum."""
RECORDS_MAX = 10_000
"""By one request."""
UUID_BYTES = 16
METADATA_TOPIC = "__cluster_metadata"

AskedTopic = CreateTopicsRequest.CreatableTopic
TopicAnswer = CreateTopicsResponse.CreatableTopicResult
ShownSetting = TopicAnswer.CreatableTopicConfigs


def create_topics(request: CreateTopicsRequest, situation: Situation, call: Call) -> Deciding:
    """Create each topic that can be, unless the request only validates."""
    _check_size(request, situation)
    counts = yield from counted(topic.name for topic in request.topics)
    existing = {metric_name(name): name for name in situation.image.topics.by_name}
    records: list[Message] = []
    answers: dict[str, TopicAnswer] = {}
    for topic in request.topics:
        if topic.name in answers:
            continue
        try:
            if counts[topic.name] > 1:
                raise KafkaError(ErrorCode.INVALID_REQUEST, "the request names the topic twice")
            _check_new(topic.name, situation, existing)
            created = _create(topic, situation, call)
        except KafkaError as error:
            answers[topic.name] = _failure(topic.name, error)
        else:
            records += created
            answers[topic.name] = _success(topic, created, situation)
        yield
    if len(records) > RECORDS_MAX:
        _refuse_size(f"the request would write {len(records)} records; {RECORDS_MAX} is the limit")
    reply = CreateTopicsResponse(topics=list(answers.values()))
    return Decision([] if request.validate_only else records, reply)


def _check_size(request: CreateTopicsRequest, situation: Situation) -> None:
    default = situation.settings.num_partitions
    total = 0
    for topic in request.topics:
        if topic.assignments:
            total += len(topic.assignments)
        else:
            total += default if topic.num_partitions == -1 else max(topic.num_partitions, 0)
    if total > PARTITIONS_MAX:
        _refuse_size(f"the request asks for {total} partitions; {PARTITIONS_MAX} is the limit")


def _refuse_size(text: str) -> None:
    raise KafkaError(ErrorCode.POLICY_VIOLATION, f"{text}, so split it")


def _check_new(name: str, situation: Situation, existing: Mapping[str, str]) -> None:
    check_name(name)
    if name == METADATA_TOPIC:
        text = f"Creation of internal topic {name} is prohibited."
        raise KafkaError(ErrorCode.INVALID_REQUEST, text)
    if name in situation.image.topics.by_name:
        raise KafkaError(ErrorCode.TOPIC_ALREADY_EXISTS, f"Topic '{name}' already exists.")
    other = existing.get(metric_name(name)) if "." in name or "_" in name else None
    if other is not None:
        text = f"Topic '{name}' collides with existing topic: {other}"
        raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION, text)


def _create(topic: AskedTopic, situation: Situation, call: Call) -> list[Message]:
    settings = _settings_records(topic, situation)
    placed = _placed_by_hand(topic, situation) if topic.assignments else _place(topic, situation)
    call.charge(len(placed))
    topic_id = fresh_topic_id(situation)
    partitions = [
        first_record(topic_id, index, replicas, situation) for index, replicas in enumerate(placed)
    ]
    return [TopicRecord(name=topic.name, topic_id=topic_id), *settings, *partitions]


def _settings_records(topic: AskedTopic, situation: Situation) -> list[Message]:
    values: dict[str, str] = {}
    for config in topic.configs:
        if config.value is None:
            text = f"Null value not supported for topic configs: {config.name}"
            raise KafkaError(ErrorCode.INVALID_CONFIG, text)
        values[config.name] = config.value
    check_settings(TOPIC, topic.name, values, situation.settings)
    records = [
        ConfigRecord(resource_type=TOPIC, resource_name=topic.name, name=name, value=value)
        for name, value in sorted(values.items())
    ]
    return [*records, *clear_elr_records(records, situation)]


def _placed_by_hand(topic: AskedTopic, situation: Situation) -> list[Sequence[int]]:
    for value, what in (
        (topic.replication_factor, "replication factor"),
        (topic.num_partitions, "number of partitions"),
    ):
        if value != -1:
            text = f"with an assignment by hand the {what} must be -1; it is {value}"
            raise KafkaError(ErrorCode.INVALID_REQUEST, text)
    placed: dict[int, Sequence[int]] = {}
    for assignment in topic.assignments:
        index = assignment.partition_index
        if index in placed:
            _refuse_assignment(f"partition {index} is assigned twice")
        expected = len(next(iter(placed.values()))) if placed else None
        check_replicas(assignment.broker_ids, situation, expected)
        placed[index] = assignment.broker_ids
    if sorted(placed) != list(range(len(placed))):
        _refuse_assignment("partitions must be numbered from 0 without gaps")
    return [placed[index] for index in range(len(placed))]


def _refuse_assignment(text: str) -> None:
    raise KafkaError(ErrorCode.INVALID_REPLICA_ASSIGNMENT, text)


def _place(topic: AskedTopic, situation: Situation) -> list[tuple[int, ...]]:
    replication_factor, count = topic.replication_factor, topic.num_partitions
    if replication_factor < -1 or replication_factor == 0:
        text = f"a topic cannot have {replication_factor} replicas; -1 means the cluster's default"
        raise KafkaError(ErrorCode.INVALID_REPLICATION_FACTOR, text)
    if count < -1 or count == 0:
        text = f"a topic cannot have {count} partitions; -1 means the cluster's default"
        raise KafkaError(ErrorCode.INVALID_PARTITIONS, text)
    settings = situation.settings
    if replication_factor == -1:
        replication_factor = settings.default_replication_factor
    return place_replicas(
        settings.num_partitions if count == -1 else count, replication_factor, situation
    )


def fresh_topic_id(situation: Situation) -> bytes:
    """An id that no topic has or may not have; none starts with a dash when shown as text."""
    while True:
        drawn = bytearray(situation.random.randbytes(UUID_BYTES))
        drawn[6] = drawn[6] & 0x0F | 0x40
        drawn[8] = drawn[8] & 0x3F | 0x80
        topic_id = bytes(drawn)
        if topic_id in (NULL_UUID, METADATA_TOPIC_ID) or topic_id[0] >> 2 == DASH:
            continue
        if topic_id not in situation.image.topics.by_id:
            return topic_id


DASH = 62
"""The six bits that base64 shows as `-`, which command lines take for an option."""


def _success(topic: AskedTopic, created: list[Message], situation: Situation) -> TopicAnswer:
    first = created[0]
    assert isinstance(first, TopicRecord)
    partitions = [record for record in created if isinstance(record, PartitionRecord)]
    given = {config.name: config.value for config in topic.configs if config.value is not None}
    return TopicAnswer(
        name=topic.name,
        topic_id=first.topic_id,
        error_code=ErrorCode.NONE,
        error_message=None,
        num_partitions=len(partitions),
        replication_factor=len(partitions[0].replicas),
        configs=[
            ShownSetting(
                name=described.name,
                value=None if described.is_sensitive else described.value,
                read_only=described.is_read_only,
                config_source=described.source,
                is_sensitive=described.is_sensitive,
            )
            for described in describe_topic(layers(situation), given)
        ],
    )


def _failure(name: str, error: KafkaError) -> TopicAnswer:
    return TopicAnswer(
        name=name, topic_id=NULL_UUID, error_code=error.code, error_message=error.message,
        configs=[],
    )  # fmt: skip
