"""The topology of an application: its subtopologies, and the topics that these read and write.

It comes with the first heartbeat, is kept in the group's log, and stays as it is: another topology
needs another epoch, which members of this time cannot have.
"""

from __future__ import annotations

from moldau.protocol.messages.stored.streams_group import StreamsGroupTopologyValue
from moldau.protocol.messages.streams.streams_group_heartbeat import StreamsGroupHeartbeatRequest

Subtopology = StreamsGroupTopologyValue.Subtopology
TopicInfo = StreamsGroupTopologyValue.TopicInfo
_Told = StreamsGroupHeartbeatRequest.Topology


def topology_of(told: _Told) -> StreamsGroupTopologyValue:
    """The topology as it is stored: everything by its name, so that equal ones are equal."""
    ordered = sorted(told.subtopologies, key=lambda one: one.subtopology_id)
    return StreamsGroupTopologyValue(
        epoch=told.epoch, subtopologies=[_subtopology(one) for one in ordered]
    )


def _subtopology(told: _Told.Subtopology) -> Subtopology:
    return Subtopology(
        subtopology_id=told.subtopology_id,
        source_topics=told.source_topics,
        source_topic_regex=told.source_topic_regex,
        state_changelog_topics=[_topic(one) for one in told.state_changelog_topics],
        repartition_sink_topics=told.repartition_sink_topics,
        repartition_source_topics=[_topic(one) for one in told.repartition_source_topics],
        copartition_groups=[
            Subtopology.CopartitionGroup(
                source_topics=one.source_topics,
                source_topic_regex=one.source_topic_regex,
                repartition_source_topics=one.repartition_source_topics,
            )
            for one in told.copartition_groups
        ],
    )


def _topic(told: StreamsGroupHeartbeatRequest.TopicInfo) -> TopicInfo:
    return TopicInfo(
        name=told.name,
        partitions=told.partitions,
        replication_factor=told.replication_factor,
        topic_configs=[
            StreamsGroupTopologyValue.TopicConfig(key=one.key, value=one.value)
            for one in sorted(told.topic_configs, key=lambda one: one.key)
        ],
    )


def read_topics(subtopology: Subtopology) -> list[str]:
    """What a subtopology reads, whoever makes it."""
    repartitioned = [topic.name for topic in subtopology.repartition_source_topics]
    return [*subtopology.source_topics, *repartitioned]


def required_topics(topology: StreamsGroupTopologyValue) -> set[str]:
    """All topics that have to be there."""
    return {
        name
        for one in topology.subtopologies
        for name in (*read_topics(one), *(topic.name for topic in one.state_changelog_topics))
    }
