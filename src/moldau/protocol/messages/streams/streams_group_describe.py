"""Describe streams groups; called by admin clients (KIP-1071).

The group coordinator answers with the topology as resolved against the cluster's topics, and with
the tasks that each member has and shall have.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, GroupId, Int16, Int32, Int64, String, TopicName, UInt16


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
        """Rises with every change of members, topology or topics."""
        assignment_epoch: Int32
        """Group epoch for which the target was computed."""
        topology: Topology | None = None
        """Null beside an error."""
        members: list[Member]
        authorized_operations: Int32 = -2_147_483_648
        """Bit n is set if the caller may do ACL operation n; the smallest int: not asked
        for.
        """

        class Topology(Struct):
            epoch: Int32
            subtopologies: list[Subtopology] | None = None
            """Null while topics are missing or their counts do not fit."""

            class Subtopology(Struct):
                """A part of the topology, with topics resolved and partitions counted."""

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
            """Behind the group's if the member runs older code."""
            process_id: String
            """Shared by all threads of one process."""
            user_endpoint: StreamsGroupDescribeResponse.Endpoint | None = None
            """Null if the client takes no interactive queries."""
            client_tags: list[StreamsGroupDescribeResponse.KeyValue]
            task_offsets: list[StreamsGroupDescribeResponse.TaskOffset]
            task_end_offsets: list[StreamsGroupDescribeResponse.TaskOffset]
            assignment: StreamsGroupDescribeResponse.Assignment
            """What it runs."""
            target_assignment: StreamsGroupDescribeResponse.Assignment
            """What it shall run."""
            is_classic: Bool
            """The member still speaks the classic protocol."""

    class Endpoint(Struct):
        host: String
        port: UInt16

    class TaskOffset(Struct):
        """How far a task's state is restored."""

        subtopology_id: String
        partition: Int32
        offset: Int64

    class Assignment(Struct):
        active_tasks: list[StreamsGroupDescribeResponse.TaskIds]
        standby_tasks: list[StreamsGroupDescribeResponse.TaskIds]
        warmup_tasks: list[StreamsGroupDescribeResponse.TaskIds]

    class TaskIds(Struct):
        """Tasks of one subtopology, by partition number."""

        subtopology_id: String
        partitions: list[Int32]

    class KeyValue(Struct):
        key: String
        value: String

    class TopicInfo(Struct):
        name: TopicName
        partitions: Int32
        """0 where no count is asked for, and for all changelogs."""
        replication_factor: Int16
        """0 means the cluster's default."""
        topic_configs: list[StreamsGroupDescribeResponse.KeyValue]
