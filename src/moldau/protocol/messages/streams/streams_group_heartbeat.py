"""Join, stay in and leave a streams group; Kafka Streams calls it (KIP-1071).

The group coordinator checks the topology, creates missing internal topics, computes the assignment
of tasks and answers with it. A task is a partition number of a subtopology. The client sends its
topology on joining (epoch 0) alone; -1 leaves, -2 leaves but keeps a static place. Null means "as
last time" throughout.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import (
    Bool,
    GroupId,
    Int8,
    Int16,
    Int32,
    Int64,
    String,
    TopicName,
    UInt16,
)


class StreamsGroupHeartbeatRequest(
    Request, key=88, versions="0", flexible="0+", listeners=("broker",)
):
    """Keeps a Streams client in its group, with what it runs and owns."""

    group_id: GroupId
    member_id: String
    member_epoch: Int32
    """0 joins, -1 leaves, -2 leaves a static place for later; else as answered."""
    endpoint_information_epoch: Int32
    """Of the endpoints last received; a newer one brings them again."""
    instance_id: String | None = None
    """Null for dynamic members, or as last time."""
    rack_id: String | None = None
    """Null: as last time."""
    rebalance_timeout_ms: Int32 = -1
    """How long giving up tasks may take; -1: as last time."""
    topology: Topology | None = None
    """On joining only."""
    active_tasks: list[TaskIds] | None = None
    """What the member runs at this moment. Null: as last time."""
    standby_tasks: list[TaskIds] | None = None
    """Null: as last time."""
    warmup_tasks: list[TaskIds] | None = None
    """Null: as last time."""
    process_id: String | None = None
    """Shared by all threads of one process. Null: as last time."""
    user_endpoint: Endpoint | None = None
    """Where interactive queries reach the client. Null: none, or as last time."""
    client_tags: list[KeyValue] | None = None
    """What rack-aware placement of standbys looks at. Null: as last time."""
    task_offsets: list[TaskOffset] | None = None
    """Sums over a task's changelogs. Null: as last time."""
    task_end_offsets: list[TaskOffset] | None = None
    """Sums over a task's changelogs. Null: as last time."""
    shutdown_application: Bool = False
    """Every member of the group shall stop."""

    class Topology(Struct):
        """What the application computes, as far as the broker must know."""

        epoch: Int32
        """Rises when the application changes; members must agree on it."""
        subtopologies: list[Subtopology]

        class Subtopology(Struct):
            """A part of the topology whose tasks are assigned together."""

            subtopology_id: String
            source_topics: list[TopicName]
            """Read, not made by the application."""
            source_topic_regex: list[String]
            """Expressions for topics read, evaluated by the server."""
            state_changelog_topics: list[StreamsGroupHeartbeatRequest.TopicInfo]
            """Hold the state; one partition per task."""
            repartition_sink_topics: list[TopicName]
            """Written for other subtopologies."""
            repartition_source_topics: list[StreamsGroupHeartbeatRequest.TopicInfo]
            """Read, and made by the application itself."""
            copartition_groups: list[CopartitionGroup]

            class CopartitionGroup(Struct):
                """Topics of a subtopology that need equal partition counts."""

                source_topics: list[Int16]
                """Indexes into the subtopology's list of that name, as below."""
                source_topic_regex: list[Int16]
                repartition_source_topics: list[Int16]

    class KeyValue(Struct):
        key: String
        value: String

    class TopicInfo(Struct):
        """An internal topic that the coordinator creates if it is missing."""

        name: TopicName
        partitions: Int32
        """0 leaves it to the coordinator."""
        replication_factor: Int16
        """0 means the cluster's default."""
        topic_configs: list[StreamsGroupHeartbeatRequest.KeyValue]

    class Endpoint(Struct):
        host: String
        port: UInt16

    class TaskOffset(Struct):
        """How far a task's state is restored."""

        subtopology_id: String
        partition: Int32
        offset: Int64

    class TaskIds(Struct):
        """Tasks of one subtopology, by partition number."""

        subtopology_id: String
        partitions: list[Int32]


class StreamsGroupHeartbeatResponse(Response, key=88, versions="0", flexible="0+"):
    """Answers with epoch, tasks and what is wrong with the topology."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None = None
    member_id: String
    member_epoch: Int32
    heartbeat_interval_ms: Int32
    """When to call again; the server decides."""
    acceptable_recovery_lag: Int32
    """A warm-up task this near its end counts as caught up."""
    task_offset_interval_ms: Int32
    """How often task offsets shall be sent."""
    status: list[Status] | None
    """Null or empty: all is well."""
    active_tasks: list[TaskIds] | None = None
    """Null: nothing changed; all three are null together."""
    standby_tasks: list[TaskIds] | None = None
    warmup_tasks: list[TaskIds] | None = None
    endpoint_information_epoch: Int32
    """Of the endpoints below."""
    partitions_by_user_endpoint: list[EndpointToPartitions] | None = None
    """Null: nothing changed."""

    class EndpointToPartitions(Struct):
        """Which partitions' state a client can be queried for."""

        user_endpoint: StreamsGroupHeartbeatResponse.Endpoint
        active_partitions: list[StreamsGroupHeartbeatResponse.TopicPartition]
        standby_partitions: list[StreamsGroupHeartbeatResponse.TopicPartition]

    class Status(Struct):
        """Something the application must know or act on."""

        status_code: Int8
        """0 stale topology, 1 to 3 topics missing or misfit, 4 shut down, 5 not assigned
        yet.
        """
        status_detail: String

    class TopicPartition(Struct):
        topic: TopicName
        partitions: list[Int32]

    class TaskIds(Struct):
        """Tasks of one subtopology, by partition number."""

        subtopology_id: String
        partitions: list[Int32]

    class Endpoint(Struct):
        host: String
        port: UInt16
