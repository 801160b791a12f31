"""Describe streams groups; called by admin clients (KIP-1071).

The group coordinator answers with the topology as resolved against the cluster's topics, and with
the tasks that each member has and shall have.
"""

from __future__ import annotations

from moldau.wire.schema import Request, Response, Struct
from moldau.wire.types import Bool, GroupId, Int16, Int32, Int64, String, TopicName, UInt16


class StreamsGroupDescribeRequest(
    Request, key=89, versions="0", flexible="0+", listeners=("broker",)
):
    """Asks for topology, members and tasks of streams groups."""

    group_ids: list[GroupId]
    include_authorized_operations: Bool


class StreamsGroupDescribeResponse(Response, key=89, versions="0", flexible="0+"):
    """Answers with each group as its coordinator sees it."""

    throttle_time_ms: Int32
    groups: list[DescribedGroup]

    class DescribedGroup(Struct):
        error_code: Int16
        error_message: String | None = None
        group_id: GroupId
        group_state: String
        group_epoch: Int32
        assignment_epoch: Int32
        topology: Topology | None = None
        members: list[Member]
        authorized_operations: Int32 = -2_147_483_648

        class Topology(Struct):
            epoch: Int32
            subtopologies: list[Subtopology] | None = None

            class Subtopology(Struct):
                subtopology_id: String
                source_topics: list[TopicName]
                repartition_sink_topics: list[TopicName]
                state_changelog_topics: list[StreamsGroupDescribeResponse.TopicInfo]
                repartition_source_topics: list[StreamsGroupDescribeResponse.TopicInfo]

        class Member(Struct):
            member_id: String
            member_epoch: Int32
            instance_id: String | None = None
            rack_id: String | None = None
            client_id: String
            client_host: String
            topology_epoch: Int32
            process_id: String
            user_endpoint: StreamsGroupDescribeResponse.Endpoint | None = None
            client_tags: list[StreamsGroupDescribeResponse.KeyValue]
            task_offsets: list[StreamsGroupDescribeResponse.TaskOffset]
            task_end_offsets: list[StreamsGroupDescribeResponse.TaskOffset]
            assignment: StreamsGroupDescribeResponse.Assignment
            target_assignment: StreamsGroupDescribeResponse.Assignment
            is_classic: Bool

    class Endpoint(Struct):
        host: String
        port: UInt16

    class TaskOffset(Struct):
        subtopology_id: String
        partition: Int32
        offset: Int64

    class Assignment(Struct):
        active_tasks: list[StreamsGroupDescribeResponse.TaskIds]
        standby_tasks: list[StreamsGroupDescribeResponse.TaskIds]
        warmup_tasks: list[StreamsGroupDescribeResponse.TaskIds]

    class TaskIds(Struct):
        subtopology_id: String
        partitions: list[Int32]

    class KeyValue(Struct):
        key: String
        value: String

    class TopicInfo(Struct):
        name: TopicName
        partitions: Int32
        replication_factor: Int16
        topic_configs: list[StreamsGroupDescribeResponse.KeyValue]
