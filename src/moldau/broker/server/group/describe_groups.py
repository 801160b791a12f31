"""DescribeGroups: state and members of classic groups.

Versions 0-6; the sentence beside an error came with version 6.
"""

from __future__ import annotations

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import ask_group
from moldau.broker.server.group.describing import describe_groups
from moldau.errors import KafkaError
from moldau.protocol.messages.group.describe_groups import (
    DescribeGroupsRequest,
    DescribeGroupsResponse,
)

ERROR_MESSAGE_SINCE = 6

Described = DescribeGroupsResponse.DescribedGroup


async def handle(call: Call[DescribeGroupsRequest], broker: Broker) -> DescribeGroupsResponse:
    asked = call.request

    async def ask(group_id: str) -> Described:
        question = DescribeGroupsRequest(groups=[group_id], include_authorized_operations=False)
        answer = await ask_group(call, broker, group_id, DescribeGroupsResponse, request=question)
        return answer.groups[0]

    def refuse(group_id: str, error: KafkaError) -> Described:
        return Described(
            error_code=error.code,
            error_message=error.message if call.version >= ERROR_MESSAGE_SINCE else None,
            group_id=group_id,
            group_state="",
            protocol_type="",
            protocol_data="",
            members=[],
        )

    groups = await describe_groups(call, broker, asked.groups, ask, refuse, takes_no_name=True)
    return DescribeGroupsResponse(throttle_time_ms=0, groups=groups)
