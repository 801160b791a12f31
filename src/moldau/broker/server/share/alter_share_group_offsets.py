"""AlterShareGroupOffsets: let an empty share group begin elsewhere.

Version 0 (KIP-932). What was handed out before is forgotten. A group that is not there begins with
it.
"""

from __future__ import annotations

from moldau.broker.coordinator.group.request_checks import check_group_id
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import (
    ask_group,
    check_group,
    may_read_topic,
    with_message,
)
from moldau.broker.server.group.protocols import SHARE, check_protocol
from moldau.broker.server.share.preparation import prepare
from moldau.protocol.messages.share.alter_share_group_offsets import (
    AlterShareGroupOffsetsRequest,
    AlterShareGroupOffsetsResponse,
)
from moldau.protocol.messages.share.initialize_share_group_state import (
    InitializeShareGroupStateRequest,
)
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID

Asked = AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestTopic
Topic = AlterShareGroupOffsetsResponse.AlterShareGroupOffsetsResponseTopic
Partition = Topic.AlterShareGroupOffsetsResponsePartition
Codes = dict[tuple[bytes, int], int]


async def handle(
    call: Call[AlterShareGroupOffsetsRequest], broker: Broker
) -> AlterShareGroupOffsetsResponse:
    with with_message():
        return await _alter(call, broker)


async def _alter(
    call: Call[AlterShareGroupOffsetsRequest], broker: Broker
) -> AlterShareGroupOffsetsResponse:
    request = call.request
    check_protocol(broker, SHARE)
    check_group(call, broker, request.group_id)
    check_group_id(request.group_id)
    topics = _merged(request.topics)
    allowed = {name: one for name, one in topics.items() if may_read_topic(call, broker, name)}
    asked = AlterShareGroupOffsetsRequest(group_id=request.group_id, topics=[*allowed.values()])
    question = await ask_group(
        call, broker, request.group_id, InitializeShareGroupStateRequest, request=asked
    )
    broker.shares.drop_group(request.group_id)
    made = await prepare(broker, question)
    codes = {
        (topic.topic_id, one.partition): one.error_code
        for topic in (made.results if made is not None else ())
        for one in topic.partitions
    }
    by_name = broker.metadata.image.topics.by_name
    responses = [
        _answer(broker, topic, codes, name in allowed)
        for name, topic in topics.items()
        if topic.partitions or name in by_name
    ]
    return AlterShareGroupOffsetsResponse(throttle_time_ms=0, error_code=0, responses=responses)


def _merged(topics: list[Asked]) -> dict[str, Asked]:
    """By name, with all partitions of a topic that is named more than once."""
    merged: dict[str, Asked] = {}
    for topic in topics:
        known = merged.setdefault(topic.topic_name, topic)
        if known is not topic:
            known.partitions += topic.partitions
    return merged


def _answer(broker: Broker, topic: Asked, codes: Codes, is_allowed: bool) -> Topic:
    known = broker.metadata.image.topics.by_name.get(topic.topic_name)
    topic_id = known.topic_id if known is not None and is_allowed else NULL_UUID
    unknown = (
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION if is_allowed else ErrorCode.TOPIC_AUTHORIZATION_FAILED
    )
    return Topic(
        topic_name=topic.topic_name,
        topic_id=topic_id,
        partitions=[
            _partition(one.partition_index, codes.get((topic_id, one.partition_index), unknown))
            for one in topic.partitions
        ],
    )


def _partition(index: int, code: int) -> Partition:
    message = ErrorCode.read(code).message if code else None
    return Partition(partition_index=index, error_code=code, error_message=message)
