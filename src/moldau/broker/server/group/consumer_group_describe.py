"""ConsumerGroupDescribe: state, members and assignments of consumer groups (KIP-848).

Versions 0-1; version 1 tells which protocol a member speaks (KIP-1099).
"""

from __future__ import annotations

from typing import cast

from moldau.broker.coordinator.group.consumer.describe import refused
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import ask_group
from moldau.broker.server.group.describing import check_topics, describe_groups
from moldau.broker.server.group.protocols import CONSUMER, check_protocol
from moldau.protocol.messages.group.consumer_group_describe import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
)

Described = ConsumerGroupDescribeResponse.DescribedGroup


async def handle(call: Call, broker: Broker) -> ConsumerGroupDescribeResponse:
    asked = cast("ConsumerGroupDescribeRequest", call.request)
    check_protocol(broker, CONSUMER)

    async def ask(group_id: str) -> Described:
        question = ConsumerGroupDescribeRequest(
            group_ids=[group_id], include_authorized_operations=False
        )
        answer = await ask_group(
            call, broker, group_id, ConsumerGroupDescribeResponse, request=question
        )
        (group,) = answer.groups
        check_topics(call, broker, group_id, _topics_of(group))
        return group

    groups = await describe_groups(call, broker, asked.group_ids, ask, refused)
    return ConsumerGroupDescribeResponse(throttle_time_ms=0, groups=groups)


def _topics_of(group: Described) -> set[str]:
    """What its members have, and what they shall have."""
    return {
        entry.topic_name
        for member in group.members
        for assignment in (member.assignment, member.target_assignment)
        for entry in assignment.topic_partitions
    }
