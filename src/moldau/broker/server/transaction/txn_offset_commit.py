"""TxnOffsetCommit: offsets that count when the transaction commits.

Versions 0-5. The group's coordinator takes them; before the first of a transaction it asks the
transaction's coordinator whether it knows of this, or since version 5 (KIP-890) has it added, in
the same way as for a first batch of records. Unknown or forbidden topics are refused one by one.

Version 0 and 1 clients break at the error of a coordinator that is loading; they get that
there is none, and come back as well.
"""

from __future__ import annotations

from moldau.broker.log.producers.transaction_verification import VerificationGuard
from moldau.broker.runtime.refused_writes import MEANINGS
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import ask_group, check_group, may_read_topic
from moldau.broker.server.produce import verification as transaction_gate
from moldau.broker.server.produce.verification import ABORTABLE_FROM, ADDS_FROM, OpenQuestion
from moldau.broker.server.slices import Pace
from moldau.broker.server.topic.creation import OFFSETS_TOPIC
from moldau.errors import KafkaError
from moldau.protocol.messages.transaction.txn_offset_commit import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

ADDS_SINCE, ABORTABLE_SINCE, KNOWS_LOADING_SINCE = 5, 4, 2
NO_SEQUENCE = -1

AskedTopic = TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic
Topic = TxnOffsetCommitResponse.TxnOffsetCommitResponseTopic
Partition = Topic.TxnOffsetCommitResponsePartition


async def handle(call: Call[TxnOffsetCommitRequest], broker: Broker) -> TxnOffsetCommitResponse:
    request = call.request
    _check_transaction(call, broker, request.transactional_id)
    check_group(call, broker, request.group_id)
    answers: dict[str, Topic] = {}
    known: list[AskedTopic] = []
    pace = Pace(broker)
    for asked in request.topics:
        if pace.is_over:
            await pace.rest()
        refused, accepted = _split(call, broker, asked)
        if refused.partitions or asked.name not in broker.metadata.image.topics.by_name:
            _add(answers, refused)
        if accepted.partitions:
            known.append(accepted)
    if known:
        request.topics = known
        committed = (await _committed(call, broker, request)).topics
        if not answers:  # as Kafka: a topic that was listed twice is answered twice
            return TxnOffsetCommitResponse(throttle_time_ms=0, topics=committed)
        for topic in committed:
            _add(answers, topic)
    return TxnOffsetCommitResponse(throttle_time_ms=0, topics=[*answers.values()])


def _check_transaction(call: Call, broker: Broker, transactional_id: str) -> None:
    if not broker.authorizer.allows(
        call, Operation.WRITE, Resource.TRANSACTIONAL_ID, transactional_id
    ):
        raise KafkaError(
            ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
            f"no access to transactional id {transactional_id}",
        )


def _split(call: Call, broker: Broker, asked: AskedTopic) -> tuple[Topic, AskedTopic]:
    """What is refused here, and what the coordinator shall have."""
    code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    topic = broker.metadata.image.topics.by_name.get(asked.name)
    there = topic.partitions if topic is not None else {}
    if not may_read_topic(call, broker, asked.name):
        code, there = ErrorCode.TOPIC_AUTHORIZATION_FAILED, {}
    refused = [one.partition_index for one in asked.partitions if one.partition_index not in there]
    accepted = [one for one in asked.partitions if one.partition_index in there]
    return _all(asked.name, refused, code), AskedTopic(name=asked.name, partitions=accepted)


def _all(name: str, indexes: list[int], code: int) -> Topic:
    partitions = [Partition(partition_index=index, error_code=code) for index in indexes]
    return Topic(name=name, partitions=partitions)


async def _committed(
    call: Call, broker: Broker, request: TxnOffsetCommitRequest
) -> TxnOffsetCommitResponse:
    try:
        if not request.group_id:
            raise KafkaError(ErrorCode.INVALID_GROUP_ID)
        guard = await _vouched(call, broker, request)
        return await ask_group(call, broker, request.group_id, TxnOffsetCommitResponse, guard=guard)
    except KafkaError as error:
        code = ErrorCode.read(error.code)
        code = MEANINGS.get(code, code)
        is_old = call.version < KNOWS_LOADING_SINCE
        if is_old and code is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS:
            code = ErrorCode.COORDINATOR_NOT_AVAILABLE
        topics = [
            _all(topic.name, [one.partition_index for one in topic.partitions], code)
            for topic in request.topics
        ]
        return TxnOffsetCommitResponse(throttle_time_ms=0, topics=topics)


async def _vouched(
    call: Call, broker: Broker, request: TxnOffsetCommitRequest
) -> VerificationGuard | None:
    """Have the transaction's coordinator say that the group's partition belongs to it."""
    version = _produce_version(call.version)
    adds = version >= ADDS_FROM
    if broker.groups is None:
        return None
    if not adds and not broker.settings.transaction_partition_verification_enable:
        return None
    index = broker.groups.partition_for(request.group_id)
    broker.groups.running(index)
    partition = broker.replicas.leader(OFFSETS_TOPIC, index)
    producer = request.producer_id, request.producer_epoch
    guard = partition.log.producers.begin_verification(
        producer[0], NO_SEQUENCE, producer[1], broker.clock.now_ms(), supports_epoch_bump=adds
    )
    if guard is None:
        return None
    question = OpenQuestion(partition, *producer, NO_SEQUENCE, guard)
    verified = await transaction_gate.ask_plainly(
        call, version, broker, request.transactional_id, [question]
    )
    for refusal in verified.refused.values():
        raise refusal
    return verified.guards[partition.name]


def _produce_version(version: int) -> int:
    """The version of Produce that understands the same errors."""
    if version >= ADDS_SINCE:
        return ADDS_FROM
    return ABORTABLE_FROM if version >= ABORTABLE_SINCE else 0


def _add(answers: dict[str, Topic], topic: Topic) -> None:
    """Put its partitions behind those of the same topic that are there."""
    known = answers.setdefault(topic.name, topic)
    if known is not topic:
        known.partitions += topic.partitions
