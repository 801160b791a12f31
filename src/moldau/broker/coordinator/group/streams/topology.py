"""The topology of an application: its subtopologies, and the topics that these read and write.

It comes with the first heartbeat, is kept in the group's log, and stays as it is: another topology
needs another epoch, which members of this time cannot have.
"""

from __future__ import annotations

from moldau.protocol.messages.stored.streams_group import StreamsGroupTopologyValue
from moldau.protocol.messages.streams.streams_group_heartbeat import StreamsGroupHeartbeatRequest

Subtopology = StreamsGroupTopologyValue.Subtopology
TopicInfo = StreamsGroupTopologyValue.TopicInfo
_Sent = StreamsGroupHeartbeatRequest.Topology


def topology_of(sent: _Sent) -> StreamsGroupTopologyValue:
    """The topology as it is stored: everything by its name, so that equal ones are equal."""
    ordered = sorted(sent.subtopologies, key=lambda one: one.subtopology_id)
    return StreamsGroupTopologyValue(
        epoch=sent.epoch, subtopologies=[_subtopology(one) for one in ordered]
    )


def _subtopology(sent: _Sent.Subtopology) -> Subtopology:
    return Subtopology(
        subtopology_id=sent.subtopology_id,
        source_topics=sent.source_topics,
        source_topic_regex=sent.source_topic_regex,
        state_changelog_topics=[_topic(one) for one in sent.state_changelog_topics],
        repartition_sink_topics=sent.repartition_sink_topics,
        repartition_source_topics=[_topic(one) for one in sent.repartition_source_topics],
        copartition_groups=[
            Subtopology.CopartitionGroup(
                source_topics=one.source_topics,
                source_topic_regex=one.source_topic_regex,
                repartition_source_topics=one.repartition_source_topics,
            )
            for one in sent.copartition_groups
        ],
    )


def _topic(sent: StreamsGroupHeartbeatRequest.TopicInfo) -> TopicInfo:
    return TopicInfo(
        name=sent.name,
        partitions=sent.partitions,
        replication_factor=sent.replication_factor,
        topic_configs=[
            StreamsGroupTopologyValue.TopicConfig(key=one.key, value=one.value)
            for one in sorted(sent.topic_configs, key=lambda one: one.key)
        ],
    )


def read_topics(subtopology: Subtopology) -> list[str]:
    """What a subtopology reads, made by it or not."""
    repartitioned = [topic.name for topic in subtopology.repartition_source_topics]
    return [*subtopology.source_topics, *repartitioned]


def required_topics(topology: StreamsGroupTopologyValue) -> set[str]:
    """All topics that have to be there."""
    return {
        name
        for one in topology.subtopologies
        for name in (*read_topics(one), *(topic.name for topic in one.state_changelog_topics))
    }
