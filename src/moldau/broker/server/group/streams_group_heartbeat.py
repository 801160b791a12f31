"""StreamsGroupHeartbeat: be a member of a streams group (KIP-1071).

Version 0. What the group's coordinator decides is in `coordinator.group.streams`. Internal topics
that are missing are created once the member's records are committed, if it may have them created.
Other than in Kafka the status does not say that it may not, or why a creation failed.
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.group.asking import ask_group, check_group, may_read_topic
from moldau.broker.server.group.protocols import STREAMS, check_protocol
from moldau.broker.server.topic.creation import INTERNAL_TOPICS, is_legal_name
from moldau.errors import KafkaError
from moldau.protocol.messages.streams.streams_group_heartbeat import (
    StreamsGroupHeartbeatRequest,
    StreamsGroupHeartbeatResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode


async def handle(
    call: Call[StreamsGroupHeartbeatRequest], broker: Broker
) -> StreamsGroupHeartbeatResponse:
    request = call.request
    check_protocol(broker, STREAMS)
    check_group(call, broker, request.group_id)
    if request.topology is not None:
        _check_topics(call, broker, _topics(request.topology))
    return await ask_group(call, broker, request.group_id, StreamsGroupHeartbeatResponse)


def _topics(topology: StreamsGroupHeartbeatRequest.Topology) -> list[str]:
    """Every topic that the topology names."""
    return [
        name
        for one in topology.subtopologies
        for name in (
            *one.source_topics,
            *one.repartition_sink_topics,
            *(topic.name for topic in one.repartition_source_topics),
            *(topic.name for topic in one.state_changelog_topics),
        )
    ]


def _check_topics(call: Call, broker: Broker, topics: list[str]) -> None:
    prohibited = sorted(INTERNAL_TOPICS & set(topics))
    invalid = sorted(name for name in set(topics) if not is_legal_name(name))
    for names, why in ((prohibited, "belong to Kafka itself"), (invalid, "are no legal names")):
        if names:
            raise KafkaError(
                ErrorCode.STREAMS_INVALID_TOPOLOGY,
                f"A topology cannot have these topics, which {why}: {', '.join(names)}.",
            )
    if not all(may_read_topic(call, broker, topic, Operation.DESCRIBE) for topic in topics):
        raise KafkaError(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
