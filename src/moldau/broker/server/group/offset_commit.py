"""OffsetCommit: store how far a group has come.

    message ──► known and allowed? ──► OffsetCommit ─┐
                        └► refusals                  ├─► coordinator ──► response ──► answer
    bytes ──► offset_commit_reader ──► OffsetCommit ─┘

Versions 2-10. What this broker's metadata does not know (topic, id, partition), or the caller may
not read, is refused for that partition alone; the rest goes to the coordinator with the topic's id,
so that an offset never counts for a later topic of the same name. In the answer refused partitions
stand before the others of their topic, as Kafka has them.
"""

from __future__ import annotations

from collections.abc import Generator

from moldau.broker.coordinator.group.offsets.offset_commit import OffsetCommit
from moldau.broker.metadata.topics import TopicState
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Answer, Call
from moldau.broker.server.group.asking import check_group, may_read_topic
from moldau.broker.server.group.committing import (
    TOPIC_IDS_SINCE,
    Committing,
    Refusals,
    Topic,
    add_refused,
    response_of,
)
from moldau.broker.server.slices import at_once
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest
from moldau.protocol.wire.error_codes import ErrorCode

PARTITIONS_MAX = 512
"""A request with more partitions, or topics, is answered in slices."""
STEP = 32
"""Topics between two places where others may go on."""

AskedTopic = OffsetCommitRequest.OffsetCommitRequestTopic
Partition = Topic.OffsetCommitResponsePartition


# hot: consumers commit all the time; no task, and the answer may be there before we return.
def handle(call: Call[OffsetCommitRequest], broker: Broker) -> Answer:
    if isinstance(call.read, OffsetCommit):
        return Committing(call, call.read, {}).put(broker)
    request = call.request
    check_group(call, broker, request.group_id)
    is_long = sum(len(topic.partitions) for topic in request.topics) > PARTITIONS_MAX
    work = _commit(call, broker, request)
    return work if is_long or len(request.topics) > PARTITIONS_MAX else at_once(work)


def _commit(
    call: Call, broker: Broker, request: OffsetCommitRequest
) -> Generator[None, None, Answer]:
    refusals: Refusals = {}
    known: list[AskedTopic] = []
    for count, asked in enumerate(request.topics, 1):
        if not count % STEP or len(asked.partitions) > PARTITIONS_MAX:
            yield
        topic, code = _topic(call, broker, asked)
        if topic is not None and _has_all(topic, asked):
            asked.name, asked.topic_id = topic.name, topic.topic_id
            known.append(asked)
            continue
        refused, accepted = _split(asked, topic, code)
        if refused.partitions or topic is None:
            add_refused(refusals, refused)
        if accepted.partitions:
            known.append(accepted)
    if not known:
        return response_of(call.version, [*refusals.values()])
    request.topics = known
    return Committing(call, OffsetCommit.of(request, call.version), refusals).put(broker)


def _topic(call: Call, broker: Broker, asked: AskedTopic) -> tuple[TopicState | None, ErrorCode]:
    """The topic that is meant, or why nothing can be committed for it."""
    topics = broker.metadata.image.topics
    by_id = call.version >= TOPIC_IDS_SINCE
    topic = topics.by_id.get(asked.topic_id) if by_id else topics.by_name.get(asked.name)
    if topic is None and by_id:
        return None, ErrorCode.UNKNOWN_TOPIC_ID
    if not may_read_topic(call, broker, topic.name if topic else asked.name):
        return None, ErrorCode.TOPIC_AUTHORIZATION_FAILED
    return topic, ErrorCode.NONE if topic else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def _has_all(topic: TopicState, asked: AskedTopic) -> bool:
    """Whether each partition that is asked for is there, and at least one is."""
    there = topic.partitions
    for one in asked.partitions:
        if one.partition_index not in there:
            return False
    return bool(asked.partitions)


def _split(
    asked: AskedTopic, topic: TopicState | None, code: ErrorCode
) -> tuple[Topic, AskedTopic]:
    """What is refused here, and what the coordinator shall have."""
    refused = Topic(name=asked.name, topic_id=asked.topic_id, partitions=[])
    if topic is None:
        indexes = [one.partition_index for one in asked.partitions]
        refused.partitions = [Partition(partition_index=one, error_code=code) for one in indexes]
        return refused, AskedTopic(name=asked.name, topic_id=asked.topic_id, partitions=[])
    refused.name = topic.name
    accepted = AskedTopic(name=topic.name, topic_id=topic.topic_id, partitions=[])
    missing = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    for one in asked.partitions:
        if one.partition_index in topic.partitions:
            accepted.partitions.append(one)
        else:
            refused.partitions.append(
                Partition(partition_index=one.partition_index, error_code=missing)
            )
    return refused, accepted
