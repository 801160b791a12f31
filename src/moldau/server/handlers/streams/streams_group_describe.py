"""StreamsGroupDescribe: state, topology, members and tasks of streams groups (KIP-1071).

Version 0. Each group is asked about at its coordinator and has its own error. A group with a topic
that the caller may not know of is not told at all.
"""

from __future__ import annotations

from typing import cast

from moldau.errors import KafkaError
from moldau.messages.streams.streams_group_describe import (
    StreamsGroupDescribeRequest,
    StreamsGroupDescribeResponse,
)
from moldau.security.access import Operation, Resource
from moldau.server.asking_groups import ask_group, check_group, may_read_topic
from moldau.server.broker import Broker
from moldau.server.call import Call
from moldau.server.group_protocols import STREAMS, check_protocol
from moldau.wire.error_codes import ErrorCode

Described = StreamsGroupDescribeResponse.DescribedGroup


async def handle(call: Call, broker: Broker) -> StreamsGroupDescribeResponse:
    request = cast("StreamsGroupDescribeRequest", call.request)
    check_protocol(broker, STREAMS)
    groups = [await _describe(call, broker, group_id) for group_id in request.group_ids]
    if request.include_authorized_operations:
        for group in groups:
            if not group.error_code:
                group.authorized_operations = broker.authorizer.allowed(
                    call, Resource.GROUP, group.group_id
                )
    return StreamsGroupDescribeResponse(throttle_time_ms=0, groups=groups)


async def _describe(call: Call, broker: Broker, group_id: str) -> Described:
    question = StreamsGroupDescribeRequest(
        group_ids=[group_id], include_authorized_operations=False
    )
    try:
        check_group(call, broker, group_id, Operation.DESCRIBE)
        answer = await ask_group(
            call, broker, group_id, StreamsGroupDescribeResponse, request=question
        )
        (group,) = answer.groups
        _check_topics(call, broker, group)
    except KafkaError as error:
        return Described(
            error_code=error.code,
            error_message=error.message,
            group_id=group_id,
            group_state="",
            group_epoch=0,
            assignment_epoch=0,
            members=[],
        )
    return group


def _check_topics(call: Call, broker: Broker, group: Described) -> None:
    parts = (group.topology.subtopologies if group.topology else None) or []
    topics = {
        name
        for one in parts
        for name in (
            *one.source_topics,
            *one.repartition_sink_topics,
            *(topic.name for topic in one.repartition_source_topics),
            *(topic.name for topic in one.state_changelog_topics),
        )
    }
    if not all(may_read_topic(call, broker, topic, Operation.DESCRIBE) for topic in topics):
        raise KafkaError(
            ErrorCode.TOPIC_AUTHORIZATION_FAILED,
            f"Group {group.group_id} has topics that the caller may not describe.",
        )
