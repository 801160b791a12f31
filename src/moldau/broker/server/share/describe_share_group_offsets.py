"""DescribeShareGroupOffsets: where share groups begin, and how much is left to them.

Versions 0-1 (KIP-932, KIP-1226). The group coordinator knows for which partitions there is state,
the share coordinators know what it is. Version 1 adds the lag: what lies behind the start and is
not settled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import (
    ask_group,
    check_group,
    may_read_topic,
    with_message,
)
from moldau.broker.server.group.protocols import SHARE, check_protocol
from moldau.broker.server.share.ends import Ends, Name, ends_of
from moldau.broker.server.slices import Pace
from moldau.errors import KafkaError
from moldau.protocol.messages.share.describe_share_group_offsets import (
    DescribeShareGroupOffsetsRequest,
    DescribeShareGroupOffsetsResponse,
)
from moldau.protocol.messages.share.read_share_group_state_summary import (
    ReadShareGroupStateSummaryRequest,
    ReadShareGroupStateSummaryResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID

Asked = DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup
AskedTopic = Asked.DescribeShareGroupOffsetsRequestTopic
Group = DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseGroup
Topic = Group.DescribeShareGroupOffsetsResponseTopic
Partition = Topic.DescribeShareGroupOffsetsResponsePartition
Question = ReadShareGroupStateSummaryRequest
Summary = ReadShareGroupStateSummaryResponse.ReadStateSummaryResult
UNKNOWN = -1


async def handle(
    call: Call[DescribeShareGroupOffsetsRequest], broker: Broker
) -> DescribeShareGroupOffsetsResponse:
    with with_message():
        return await _describe_all(call, broker)


async def _describe_all(
    call: Call[DescribeShareGroupOffsetsRequest], broker: Broker
) -> DescribeShareGroupOffsetsResponse:
    request = call.request
    check_protocol(broker, SHARE)
    groups = await Pace(broker).each(partial(_describe, call, broker), request.groups)
    return DescribeShareGroupOffsetsResponse(throttle_time_ms=0, groups=groups)


async def _describe(call: Call, broker: Broker, asked: Asked) -> Group:
    try:
        with with_message():
            check_group(call, broker, asked.group_id, Operation.DESCRIBE)
            question, others = await _question(call, broker, asked)
            answer = await broker.share_states.ask_with_retries(question)
    except KafkaError as error:
        return Group(
            group_id=asked.group_id, topics=[], error_code=error.code, error_message=error.message
        )
    found = [] if answer is None else answer.results
    seen = {name: one for one in found if (name := _seen_name(call, broker, one.topic_id))}
    ends = await ends_of(broker, _begun(seen))
    topics = [_described(name, one, ends) for name, one in seen.items()]
    return Group(group_id=asked.group_id, topics=[*topics, *others], error_code=ErrorCode.NONE)


async def _question(call: Call, broker: Broker, asked: Asked) -> tuple[Question, list[Topic]]:
    """What to ask the share coordinators, and what is known without them."""
    if asked.topics is None:
        request = DescribeShareGroupOffsetsRequest(groups=[asked])
        group_id = asked.group_id
        return await ask_group(call, broker, group_id, Question, request=request), []
    wanted: dict[bytes, dict[int, None]] = {}
    others = []
    for topic in asked.topics:
        known = broker.metadata.image.topics.by_name.get(topic.topic_name)
        if not may_read_topic(call, broker, topic.topic_name, Operation.DESCRIBE):
            others.append(_refused(topic, ErrorCode.TOPIC_AUTHORIZATION_FAILED))
        elif known is None:
            others.append(_refused(topic, ErrorCode.NONE))
        else:
            wanted.setdefault(known.topic_id, {}).update(dict.fromkeys(topic.partitions))
    topics = [_question_about(topic_id, some) for topic_id, some in wanted.items()]
    return Question(group_id=asked.group_id, topics=topics), others


def _question_about(topic_id: bytes, partitions: Iterable[int]) -> Question.ReadStateSummaryData:
    form = Question.ReadStateSummaryData
    return form(
        topic_id=topic_id,
        partitions=[form.PartitionData(partition=one, leader_epoch=0) for one in partitions],
    )


def _seen_name(call: Call, broker: Broker, topic_id: bytes) -> str | None:
    """Its name; None where it is gone, or this caller may not see it."""
    topic = broker.metadata.image.topics.by_id.get(topic_id)
    if topic is None or not may_read_topic(call, broker, topic.name, Operation.DESCRIBE):
        return None
    name: str = topic.name
    return name


def _refused(topic: AskedTopic, code: int) -> Topic:
    return Topic(
        topic_name=topic.topic_name,
        topic_id=NULL_UUID,
        partitions=[
            Partition(
                partition_index=index,
                start_offset=UNKNOWN if code == ErrorCode.NONE else 0,
                leader_epoch=0,
                error_code=code,
                error_message=ErrorCode.read(code).message if code else None,
            )
            for index in topic.partitions
        ],
    )


def _begun(summaries: Mapping[str, Summary]) -> Iterator[Name]:
    """The partitions that have a lag."""
    for name, summary in summaries.items():
        for one in summary.partitions:
            if _has_lag(one):
                yield name, one.partition


def _has_lag(one: Summary.PartitionResult) -> bool:
    return not one.error_code and UNKNOWN not in (one.start_offset, one.delivery_complete_count)


def _described(name: str, summary: Summary, ends: Ends) -> Topic:
    partitions = [_partition(one, ends.get((name, one.partition))) for one in summary.partitions]
    return Topic(topic_name=name, topic_id=summary.topic_id, partitions=partitions)


def _partition(one: Summary.PartitionResult, end: int | KafkaError | None) -> Partition:
    """What is stored; nothing where that is not known."""
    described = Partition(
        partition_index=one.partition,
        start_offset=UNKNOWN if one.error_code else one.start_offset,
        leader_epoch=0 if one.error_code else one.leader_epoch,
        error_code=ErrorCode.NONE,
    )
    if isinstance(end, KafkaError):
        described.error_code, described.error_message = end.code, end.message
    elif end is not None:
        described.lag = end - one.start_offset - one.delivery_complete_count
    return described
