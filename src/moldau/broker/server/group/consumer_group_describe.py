"""ConsumerGroupDescribe: state, members and assignments of consumer groups (KIP-848).

Versions 0-1; version 1 has each member's protocol, classic or consumer (KIP-1099).
"""

from __future__ import annotations

from moldau.broker.coordinator.group.consumer.describe import refused
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.describing import describe_groups_of
from moldau.broker.server.group.protocols import CONSUMER
from moldau.protocol.messages.group.consumer_group_describe import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
)

Described = ConsumerGroupDescribeResponse.DescribedGroup


async def handle(
    call: Call[ConsumerGroupDescribeRequest], broker: Broker
) -> ConsumerGroupDescribeResponse:
    groups = await describe_groups_of(
        CONSUMER, call, broker, ConsumerGroupDescribeResponse, _topics_of, refused
    )
    return ConsumerGroupDescribeResponse(throttle_time_ms=0, groups=groups)


def _topics_of(group: Described) -> set[str]:
    """What its members have, and what they shall have."""
    return {
        entry.topic_name
        for member in group.members
        for assignment in (member.assignment, member.target_assignment)
        for entry in assignment.topic_partitions
    }
