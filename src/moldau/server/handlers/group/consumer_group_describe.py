"""ConsumerGroupDescribe: state, members and assignments of consumer groups (KIP-848).

Versions 0-1; version 1 tells which protocol a member speaks (KIP-1099). Each group is asked about
at its coordinator and has its own error. A group with a topic that the caller may not know of is
not told at all.
"""

from __future__ import annotations

from typing import cast

from moldau.errors import KafkaError
from moldau.messages.group.consumer_group_describe import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
)
from moldau.security.access import Operation, Resource
from moldau.server.asking_groups import ask_group, check_group, may_read_topic
from moldau.server.broker import Broker
from moldau.server.call import Call
from moldau.server.group_protocols import CONSUMER, check_protocol
from moldau.wire.error_codes import ErrorCode

Described = ConsumerGroupDescribeResponse.DescribedGroup


async def handle(call: Call, broker: Broker) -> ConsumerGroupDescribeResponse:
    request = cast("ConsumerGroupDescribeRequest", call.request)
    check_protocol(broker, CONSUMER)
    groups = [await _describe(call, broker, group_id) for group_id in request.group_ids]
    if request.include_authorized_operations:
        for group in groups:
            if not group.error_code:
                group.authorized_operations = broker.authorizer.allowed(
                    call, Resource.GROUP, group.group_id
                )
    return ConsumerGroupDescribeResponse(throttle_time_ms=0, groups=groups)


async def _describe(call: Call, broker: Broker, group_id: str) -> Described:
    question = ConsumerGroupDescribeRequest(
        group_ids=[group_id], include_authorized_operations=False
    )
    try:
        check_group(call, broker, group_id, Operation.DESCRIBE)
        answer = await ask_group(
            call, broker, group_id, ConsumerGroupDescribeResponse, request=question
        )
        (group,) = answer.groups
        _check_topics(call, broker, group)
    except KafkaError as error:
        return _refused(group_id, error)
    return group


def _check_topics(call: Call, broker: Broker, group: Described) -> None:
    topics = {
        entry.topic_name
        for member in group.members
        for assignment in (member.assignment, member.target_assignment)
        for entry in assignment.topic_partitions
    }
    if not all(may_read_topic(call, broker, topic, Operation.DESCRIBE) for topic in topics):
        raise KafkaError(
            ErrorCode.TOPIC_AUTHORIZATION_FAILED,
            f"Group {group.group_id} reads topics that the caller may not describe.",
        )


def _refused(group_id: str, error: KafkaError) -> Described:
    return Described(
        error_code=error.code,
        error_message=error.message,
        group_id=group_id,
        group_state="",
        group_epoch=0,
        assignment_epoch=0,
        assignor_name="",
        members=[],
    )
