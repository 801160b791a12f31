"""Join, stay in and leave a streams group; Kafka Streams calls it (KIP-1071).

The group coordinator checks the topology, creates missing internal topics, computes the assignment
of tasks and answers with it. A task is a partition number of a subtopology. The client sends its
topology on joining (epoch 0) alone; -1 leaves, -2 leaves but keeps a static place. Null means "as
last time" throughout.
"""

from __future__ import annotations

from moldau.wire.schema import Request, Response, Struct
from moldau.wire.types import Bool, GroupId, Int8, Int16, Int32, Int64, String, TopicName, UInt16


class StreamsGroupHeartbeatRequest(
    Request, key=88, versions="0", flexible="0+", listeners=("broker",)
):
    """Says what a Streams client runs and owns, and that it is alive."""

    group_id: GroupId
    member_id: String
    member_epoch: Int32
    endpoint_information_epoch: Int32
    instance_id: String | None = None
    rack_id: String | None = None
    rebalance_timeout_ms: Int32 = -1
    topology: Topology | None = None
    active_tasks: list[TaskIds] | None = None
    standby_tasks: list[TaskIds] | None = None
    warmup_tasks: list[TaskIds] | None = None
    process_id: String | None = None
    user_endpoint: Endpoint | None = None
    client_tags: list[KeyValue] | None = None
    task_offsets: list[TaskOffset] | None = None
    task_end_offsets: list[TaskOffset] | None = None
    shutdown_application: Bool = False

    class Topology(Struct):
        epoch: Int32
        subtopologies: list[Subtopology]

        class Subtopology(Struct):
            subtopology_id: String
            source_topics: list[TopicName]
            source_topic_regex: list[String]
            state_changelog_topics: list[StreamsGroupHeartbeatRequest.TopicInfo]
            repartition_sink_topics: list[TopicName]
            repartition_source_topics: list[StreamsGroupHeartbeatRequest.TopicInfo]
            copartition_groups: list[CopartitionGroup]

            class CopartitionGroup(Struct):
                source_topics: list[Int16]
                source_topic_regex: list[Int16]
                repartition_source_topics: list[Int16]

    class KeyValue(Struct):
        key: String
        value: String

    class TopicInfo(Struct):
        name: TopicName
        partitions: Int32
        replication_factor: Int16
        topic_configs: list[StreamsGroupHeartbeatRequest.KeyValue]

    class Endpoint(Struct):
        host: String
        port: UInt16

    class TaskOffset(Struct):
        subtopology_id: String
        partition: Int32
        offset: Int64

    class TaskIds(Struct):
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
    acceptable_recovery_lag: Int32
    task_offset_interval_ms: Int32
    status: list[Status] | None
    active_tasks: list[TaskIds] | None = None
    standby_tasks: list[TaskIds] | None = None
    warmup_tasks: list[TaskIds] | None = None
    endpoint_information_epoch: Int32
    partitions_by_user_endpoint: list[EndpointToPartitions] | None = None

    class EndpointToPartitions(Struct):
        user_endpoint: StreamsGroupHeartbeatResponse.Endpoint
        active_partitions: list[StreamsGroupHeartbeatResponse.TopicPartition]
        standby_partitions: list[StreamsGroupHeartbeatResponse.TopicPartition]

    class Status(Struct):
        status_code: Int8
        status_detail: String

    class TopicPartition(Struct):
        topic: TopicName
        partitions: list[Int32]

    class TaskIds(Struct):
        subtopology_id: String
        partitions: list[Int32]

    class Endpoint(Struct):
        host: String
        port: UInt16
