"""Where interactive queries find the state of each partition: the endpoints of members."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.broker.coordinator.group.streams.member import StreamsMember
from moldau.broker.coordinator.group.streams.topology import read_topics
from moldau.broker.metadata.image import Image
from moldau.protocol.messages.stored.streams_group import StreamsGroupTopologyValue
from moldau.protocol.messages.streams.streams_group_heartbeat import StreamsGroupHeartbeatResponse

Endpoint = StreamsGroupHeartbeatResponse.EndpointToPartitions
_Partitions = StreamsGroupHeartbeatResponse.TopicPartition


def endpoints_of(
    members: Iterable[StreamsMember], topology: StreamsGroupTopologyValue, image: Image
) -> list[Endpoint]:
    """The members that can be queried, each with the partitions whose state it has."""
    read = {one.subtopology_id: read_topics(one) for one in topology.subtopologies}
    return [
        Endpoint(
            user_endpoint=StreamsGroupHeartbeatResponse.Endpoint(
                host=member.endpoint[0], port=member.endpoint[1]
            ),
            active_partitions=_partitions(member.assigned.active, read, image),
            standby_partitions=_partitions(member.assigned.standby, read, image),
        )
        for member in members
        if member.endpoint is not None
    ]


def _partitions(
    tasks: Mapping[str, Iterable[int]], read: Mapping[str, list[str]], image: Image
) -> list[_Partitions]:
    """A topic with fewer partitions than there are tasks has no part in the last ones."""
    found = []
    for subtopology_id, partitions in tasks.items():
        for topic in dict.fromkeys(read.get(subtopology_id, ())):
            known = image.topics.by_name.get(topic)
            if known is not None:
                there = [one for one in sorted(partitions) if one in known.partitions]
                found.append(_Partitions(topic=topic, partitions=there))
    return found
