"""ShareGroupDescribe: members, assignments and epochs of share groups.

Version 1 (KIP-932). Each group has its own error. A group with topics that the caller may not
describe is refused as a whole.
"""

from __future__ import annotations

from typing import cast

from moldau.coordinator.group.share.describe import refused
from moldau.errors import KafkaError
from moldau.messages.share.share_group_describe import (
    ShareGroupDescribeRequest,
    ShareGroupDescribeResponse,
)
from moldau.security.access import Operation, Resource
from moldau.server.asking_groups import ask_group, check_group, may_read_topic
from moldau.server.broker import Broker
from moldau.server.call import Call
from moldau.wire.error_codes import ErrorCode

Described = ShareGroupDescribeResponse.DescribedGroup


async def handle(call: Call, broker: Broker) -> ShareGroupDescribeResponse:
    request = cast("ShareGroupDescribeRequest", call.request)
    groups = [await _describe(call, broker, group_id) for group_id in request.group_ids]
    if request.include_authorized_operations:
        for group in groups:
            if not group.error_code:
                group.authorized_operations = broker.authorizer.allowed(
                    call, Resource.GROUP, group.group_id
                )
    return ShareGroupDescribeResponse(throttle_time_ms=0, groups=groups)


async def _describe(call: Call, broker: Broker, group_id: str) -> Described:
    question = ShareGroupDescribeRequest(group_ids=[group_id], include_authorized_operations=False)
    try:
        check_group(call, broker, group_id, Operation.DESCRIBE)
        answer = await ask_group(
            call, broker, group_id, ShareGroupDescribeResponse, request=question
        )
        (group,) = answer.groups
        _check_topics(call, broker, group)
    except KafkaError as error:
        return refused(group_id, error)
    return group


def _check_topics(call: Call, broker: Broker, group: Described) -> None:
    names = {name for member in group.members for name in member.subscribed_topic_names}
    if not all(may_read_topic(call, broker, name, Operation.DESCRIBE) for name in names):
        raise KafkaError(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
