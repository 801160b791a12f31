"""Streams groups in `__consumer_offsets`, key types 17 and 19 to 23 (KIP-1071).

Written by group coordinators in the manner of consumer groups, with tasks in place of partitions
and the topology beside them. A task is a partition number of a subtopology, in one of three roles:
active, standby, warm-up.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import CoordinatorKey, CoordinatorValue, Struct
from moldau.protocol.wire.types import Int8, Int16, Int32, Int64, String, UInt16


class StreamsGroupMetadataKey(CoordinatorKey, key=17, versions="0"):
    """Names a streams group."""

    group_id: String


class StreamsGroupMetadataValue(CoordinatorValue, key=17, versions="0", flexible="0+"):
    """Records the group epoch and what it was computed from."""

    epoch: Int32
    metadata_hash: Int64
    """Of the subscribed topics as they were; another one bumps the epoch."""
    validated_topology_epoch: Int32 = at(default=-1, tag=0)
    """Topology that fitted the topics of that hash; -1: none."""
    last_assignment_configs: list[LastAssignmentConfig] | None = at(tag=1)

    class LastAssignmentConfig(Struct):
        key: String
        value: String


class StreamsGroupMemberMetadataKey(CoordinatorKey, key=19, versions="0"):
    """Names a member."""

    group_id: String
    member_id: String


class StreamsGroupMemberMetadataValue(CoordinatorValue, key=19, versions="0", flexible="0+"):
    """Records what a member is and where it runs."""

    instance_id: String | None
    """Null for dynamic members."""
    rack_id: String | None
    client_id: String
    client_host: String
    rebalance_timeout_ms: Int32 = -1
    topology_epoch: Int32
    process_id: String
    """Shared by all threads of one process."""
    user_endpoint: Endpoint | None = None
    """Null if the client takes no interactive queries."""
    client_tags: list[KeyValue]

    class Endpoint(Struct):
        host: String
        port: UInt16

    class KeyValue(Struct):
        key: String
        value: String


class StreamsGroupTargetAssignmentMetadataKey(CoordinatorKey, key=20, versions="0"):
    """Names a group's target assignment."""

    group_id: String


class StreamsGroupTargetAssignmentMetadataValue(
    CoordinatorValue, key=20, versions="0", flexible="0+"
):
    """Records for which epoch the target was computed."""

    assignment_epoch: Int32
    assignment_timestamp: Int64 = at(default=0, tag=0, ignorable=True)


class StreamsGroupTargetAssignmentMemberKey(CoordinatorKey, key=21, versions="0"):
    """Names a member of the target assignment."""

    group_id: String
    member_id: String


class StreamsGroupTargetAssignmentMemberValue(
    CoordinatorValue, key=21, versions="0", flexible="0+"
):
    """Records which tasks a member shall run."""

    active_tasks: list[TaskIds]
    standby_tasks: list[TaskIds]
    warmup_tasks: list[TaskIds]

    class TaskIds(Struct):
        subtopology_id: String
        partitions: list[Int32]


class StreamsGroupCurrentMemberAssignmentKey(CoordinatorKey, key=22, versions="0"):
    """Names a member's present assignment."""

    group_id: String
    member_id: String


class StreamsGroupCurrentMemberAssignmentValue(
    CoordinatorValue, key=22, versions="0", flexible="0+"
):
    """Records which tasks a member runs and must give up."""

    member_epoch: Int32
    previous_member_epoch: Int32
    """Accepted once more, if the member missed an answer."""
    state: Int8
    """1 stable, 2 has yet to revoke, 3 waits for tasks others still run."""
    active_tasks: list[TaskIds]
    standby_tasks: list[TaskIds]
    warmup_tasks: list[TaskIds]
    active_tasks_pending_revocation: list[TaskIds]
    """Taken away; the member has not let go yet, as below."""
    standby_tasks_pending_revocation: list[TaskIds]
    warmup_tasks_pending_revocation: list[TaskIds]

    class TaskIds(Struct):
        subtopology_id: String
        partitions: list[Int32]
        assignment_epochs: list[Int32] | None = at(tag=0)
        """Epoch in which each came to the member, in order; fences late commits."""


class StreamsGroupTopologyKey(CoordinatorKey, key=23, versions="0"):
    """Names a group's topology."""

    group_id: String


class StreamsGroupTopologyValue(CoordinatorValue, key=23, versions="0", flexible="0+"):
    """Records subtopologies with their topics."""

    epoch: Int32
    subtopologies: list[Subtopology]

    class Subtopology(Struct):
        """A part of the topology whose tasks are assigned together."""

        subtopology_id: String
        source_topics: list[String]
        source_topic_regex: list[String]
        state_changelog_topics: list[StreamsGroupTopologyValue.TopicInfo]
        """Hold the state; one partition per task."""
        repartition_sink_topics: list[String]
        """Written for other subtopologies."""
        repartition_source_topics: list[StreamsGroupTopologyValue.TopicInfo]
        """Read, and made by the application itself."""
        copartition_groups: list[CopartitionGroup]

        class CopartitionGroup(Struct):
            """Topics of a subtopology that need equal partition counts."""

            source_topics: list[Int16]
            """Indexes into the subtopology's list of that name, as below."""
            source_topic_regex: list[Int16]
            repartition_source_topics: list[Int16]

    class TopicConfig(Struct):
        key: String
        value: String

    class TopicInfo(Struct):
        """An internal topic that the coordinator creates if it is missing."""

        name: String
        partitions: Int32
        """0 leaves it to the coordinator."""
        replication_factor: Int16
        """0 means the cluster's default."""
        topic_configs: list[StreamsGroupTopologyValue.TopicConfig]
