"""OffsetDelete: forget single offsets of a group (KIP-496).

Version 0. Unknown partitions, and topics that the caller may not read, are refused one by one; what
a member still reads is refused by the coordinator.
"""

from __future__ import annotations

from moldau.broker.coordinator.group.request_checks import check_group_id
from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import ask_group, check_group, may_read_topic
from moldau.broker.server.slices import Pace
from moldau.protocol.messages.group.offset_delete import OffsetDeleteRequest, OffsetDeleteResponse
from moldau.protocol.wire.error_codes import ErrorCode

AskedTopic = OffsetDeleteRequest.OffsetDeleteRequestTopic
Topic = OffsetDeleteResponse.OffsetDeleteResponseTopic
Partition = Topic.OffsetDeleteResponsePartition


async def handle(call: Call[OffsetDeleteRequest], broker: Broker) -> OffsetDeleteResponse:
    request = call.request
    check_group(call, broker, request.group_id, Operation.DELETE)
    check_group_id(request.group_id)
    refused: dict[str, Topic] = {}
    known: list[AskedTopic] = []
    pace = Pace(broker)
    for topic in request.topics:
        if pace.is_over:
            await pace.rest()
        bad, good = _split(call, broker, topic)
        is_known = topic.name in broker.metadata.image.topics.by_name
        if bad.partitions or not is_known:
            refused[topic.name] = bad
        if is_known:
            known.append(good)
    answer = OffsetDeleteResponse(error_code=0, throttle_time_ms=0, topics=list(refused.values()))
    request.topics = known
    deleted = await ask_group(call, broker, request.group_id, OffsetDeleteResponse)
    return deleted if deleted.error_code else _together(answer, deleted)


def _together(refused: OffsetDeleteResponse, deleted: OffsetDeleteResponse) -> OffsetDeleteResponse:
    """The coordinator's answers behind the refusals, topic by topic."""
    by_name = {topic.name: topic for topic in refused.topics}
    for topic in deleted.topics:
        if topic.name in by_name:
            by_name[topic.name].partitions += topic.partitions
        elif topic.partitions:
            refused.topics.append(topic)
    return refused


def _split(call: Call, broker: Broker, topic: AskedTopic) -> tuple[Topic, AskedTopic]:
    """What is refused here, and what the coordinator shall have."""
    code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    known = broker.metadata.image.topics.by_name.get(topic.name)
    there = known.partitions if known is not None else {}
    if not may_read_topic(call, broker, topic.name):
        code, there = ErrorCode.TOPIC_AUTHORIZATION_FAILED, {}
    refused, accepted = (
        Topic(name=topic.name, partitions=[]),
        AskedTopic(name=topic.name, partitions=[]),
    )
    for one in topic.partitions:
        if one.partition_index in there:
            accepted.partitions.append(one)
        else:
            refused.partitions.append(
                Partition(partition_index=one.partition_index, error_code=code)
            )
    return refused, accepted
