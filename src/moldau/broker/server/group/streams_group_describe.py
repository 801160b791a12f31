"""StreamsGroupDescribe: state, topology, members and tasks of streams groups (KIP-1071).

Version 0.
"""

from __future__ import annotations

from typing import cast

from moldau.broker.coordinator.group.streams.describe import refused
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import ask_group
from moldau.broker.server.group.describing import check_topics, describe_groups
from moldau.broker.server.group.protocols import STREAMS, check_protocol
from moldau.protocol.messages.streams.streams_group_describe import (
    StreamsGroupDescribeRequest,
    StreamsGroupDescribeResponse,
)

Described = StreamsGroupDescribeResponse.DescribedGroup


async def handle(call: Call, broker: Broker) -> StreamsGroupDescribeResponse:
    asked = cast("StreamsGroupDescribeRequest", call.request)
    check_protocol(broker, STREAMS)

    async def ask(group_id: str) -> Described:
        question = StreamsGroupDescribeRequest(
            group_ids=[group_id], include_authorized_operations=False
        )
        answer = await ask_group(
            call, broker, group_id, StreamsGroupDescribeResponse, request=question
        )
        (group,) = answer.groups
        check_topics(call, broker, group_id, _topics_of(group))
        return group

    groups = await describe_groups(call, broker, asked.group_ids, ask, refused)
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
