"""ShareGroupDescribe: members, assignments and epochs of share groups.

Version 1 (KIP-932).
"""

from __future__ import annotations

from moldau.broker.coordinator.group.share.describe import refused
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import with_message, worded
from moldau.broker.server.group.describing import describe_groups_of
from moldau.broker.server.group.protocols import SHARE
from moldau.errors import KafkaError
from moldau.protocol.messages.share.share_group_describe import (
    ShareGroupDescribeRequest,
    ShareGroupDescribeResponse,
)

Described = ShareGroupDescribeResponse.DescribedGroup


async def handle(
    call: Call[ShareGroupDescribeRequest], broker: Broker
) -> ShareGroupDescribeResponse:
    with with_message():
        groups = await describe_groups_of(
            SHARE, call, broker, ShareGroupDescribeResponse, _topics_of, _refused
        )
    return ShareGroupDescribeResponse(throttle_time_ms=0, groups=groups)


def _refused(group_id: str, error: KafkaError) -> Described:
    return refused(group_id, worded(error))


def _topics_of(group: Described) -> set[str]:
    """What its members subscribe to."""
    return {name for member in group.members for name in member.subscribed_topic_names}
