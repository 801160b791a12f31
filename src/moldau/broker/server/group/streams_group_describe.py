"""StreamsGroupDescribe: state, topology, members and tasks of streams groups (KIP-1071).

Version 0.
"""

from __future__ import annotations

from moldau.broker.coordinator.group.streams.describe import refused
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.describing import describe_groups_of
from moldau.broker.server.group.protocols import STREAMS
from moldau.protocol.messages.streams.streams_group_describe import (
    StreamsGroupDescribeRequest,
    StreamsGroupDescribeResponse,
)

Described = StreamsGroupDescribeResponse.DescribedGroup


async def handle(
    call: Call[StreamsGroupDescribeRequest], broker: Broker
) -> StreamsGroupDescribeResponse:
    groups = await describe_groups_of(
        STREAMS, call, broker, StreamsGroupDescribeResponse, _topics_of, refused
    )
    return StreamsGroupDescribeResponse(throttle_time_ms=0, groups=groups)


def _topics_of(group: Described) -> set[str]:
    """All of its topology, internal ones too."""
    parts = (group.topology.subtopologies if group.topology else None) or []
    return {
        name
        for one in parts
        for name in (
            *one.source_topics,
            *one.repartition_sink_topics,
            *(topic.name for topic in one.repartition_source_topics),
            *(topic.name for topic in one.state_changelog_topics),
        )
    }
