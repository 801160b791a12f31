"""DescribeGroups: state and members of classic groups.

Versions 0-6. Each group is asked about at its coordinator and has its own error. What the caller
may do is told for every group that is answered without one.
"""

from __future__ import annotations

from typing import cast

from moldau.errors import KafkaError
from moldau.messages.group.describe_groups import DescribeGroupsRequest, DescribeGroupsResponse
from moldau.security.access import Operation, Resource
from moldau.server.asking_groups import ask_group, check_group
from moldau.server.broker import Broker
from moldau.server.call import Call

ERROR_MESSAGE_SINCE = 6
Described = DescribeGroupsResponse.DescribedGroup


async def handle(call: Call, broker: Broker) -> DescribeGroupsResponse:
    request = cast("DescribeGroupsRequest", call.request)
    groups = [await _describe(call, broker, group_id) for group_id in request.groups]
    if request.include_authorized_operations:
        for group in groups:
            if not group.error_code:
                group.authorized_operations = broker.authorizer.allowed(
                    call, Resource.GROUP, group.group_id
                )
    return DescribeGroupsResponse(throttle_time_ms=0, groups=groups)


async def _describe(call: Call, broker: Broker, group_id: str) -> Described:
    question = DescribeGroupsRequest(groups=[group_id], include_authorized_operations=False)
    try:
        check_group(call, broker, group_id, Operation.DESCRIBE)
        answer = await ask_group(call, broker, group_id, DescribeGroupsResponse, request=question)
    except KafkaError as error:
        return Described(
            error_code=error.code,
            error_message=error.message if call.version >= ERROR_MESSAGE_SINCE else None,
            group_id=group_id,
            group_state="",
            protocol_type="",
            protocol_data="",
            members=[],
        )
    (group,) = answer.groups
    return group
