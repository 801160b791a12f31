"""Streams groups in `__consumer_offsets`, key types 17 and 19 to 23 (KIP-1071).

Written by group coordinators in the manner of consumer groups, with tasks in place of partitions
and the topology beside them. A task is a partition number of a subtopology, in one of three roles:
active, standby, warm-up.
"""

from __future__ import annotations

from moldau.wire.declaration import at
from moldau.wire.schema import CoordinatorKey, CoordinatorValue, Struct
from moldau.wire.types import Int8, Int16, Int32, Int64, String, UInt16


class StreamsGroupMetadataKey(CoordinatorKey, key=17, versions="0"):
    """Names a streams group."""

    group_id: String


class StreamsGroupMetadataValue(CoordinatorValue, key=17, versions="0", flexible="0+"):
    """Records the group epoch and what it was computed from."""

    epoch: Int32
    metadata_hash: Int64
    validated_topology_epoch: Int32 = at(default=-1, tag=0)
    last_assignment_configs: list[LastAssignmentConfig] | None = at(default=None, tag=1)

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
    rack_id: String | None
    client_id: String
    client_host: String
    rebalance_timeout_ms: Int32 = -1
    topology_epoch: Int32
    process_id: String
    user_endpoint: Endpoint | None = None
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
    state: Int8
    active_tasks: list[TaskIds]
    standby_tasks: list[TaskIds]
    warmup_tasks: list[TaskIds]
    active_tasks_pending_revocation: list[TaskIds]
    standby_tasks_pending_revocation: list[TaskIds]
    warmup_tasks_pending_revocation: list[TaskIds]

    class TaskIds(Struct):
        subtopology_id: String
        partitions: list[Int32]
        assignment_epochs: list[Int32] | None = at(default=None, tag=0)


class StreamsGroupTopologyKey(CoordinatorKey, key=23, versions="0"):
    """Names a group's topology."""

    group_id: String


class StreamsGroupTopologyValue(CoordinatorValue, key=23, versions="0", flexible="0+"):
    """Records subtopologies with their topics."""

    epoch: Int32
    subtopologies: list[Subtopology]

    class Subtopology(Struct):
        subtopology_id: String
        source_topics: list[String]
        source_topic_regex: list[String]
        state_changelog_topics: list[StreamsGroupTopologyValue.TopicInfo]
        repartition_sink_topics: list[String]
        repartition_source_topics: list[StreamsGroupTopologyValue.TopicInfo]
        copartition_groups: list[CopartitionGroup]

        class CopartitionGroup(Struct):
            source_topics: list[Int16]
            source_topic_regex: list[Int16]
            repartition_source_topics: list[Int16]

    class TopicConfig(Struct):
        key: String
        value: String

    class TopicInfo(Struct):
        name: String
        partitions: Int32
        replication_factor: Int16
        topic_configs: list[StreamsGroupTopologyValue.TopicConfig]
