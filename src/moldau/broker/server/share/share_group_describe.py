"""ShareGroupDescribe: members, assignments and epochs of share groups.

Version 1 (KIP-932).
"""

from __future__ import annotations

from typing import cast

from moldau.broker.coordinator.group.share.describe import refused
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import ask_group
from moldau.broker.server.group.describing import check_topics, describe_groups
from moldau.broker.server.group.protocols import SHARE, check_protocol
from moldau.protocol.messages.share.share_group_describe import (
    ShareGroupDescribeRequest,
    ShareGroupDescribeResponse,
)

Described = ShareGroupDescribeResponse.DescribedGroup


async def handle(call: Call, broker: Broker) -> ShareGroupDescribeResponse:
    asked = cast("ShareGroupDescribeRequest", call.request)
    check_protocol(broker, SHARE)

    async def ask(group_id: str) -> Described:
        question = ShareGroupDescribeRequest(
            group_ids=[group_id], include_authorized_operations=False
        )
        answer = await ask_group(
            call, broker, group_id, ShareGroupDescribeResponse, request=question
        )
        (group,) = answer.groups
        check_topics(call, broker, group_id, _topics_of(group))
        return group

    groups = await describe_groups(call, broker, asked.group_ids, ask, refused)
    return ShareGroupDescribeResponse(throttle_time_ms=0, groups=groups)


def _topics_of(group: Described) -> set[str]:
    """What its members subscribe to."""
    return {name for member in group.members for name in member.subscribed_topic_names}
