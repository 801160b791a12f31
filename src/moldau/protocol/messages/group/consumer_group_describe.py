"""Describe consumer groups of the KIP-848 protocol; called by admin clients.

The coordinator answers with what each member has and what it shall have.

Version 1 adds the member's type to the answer (KIP-1099), for groups in migration from the classic
protocol.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, GroupId, Int8, Int16, Int32, String, TopicName, Uuid


class ConsumerGroupDescribeRequest(
    Request, key=69, versions="0-1", flexible="0+", listeners=("broker",)
):
    """Asks for state, members and assignments of consumer groups."""

    group_ids: list[GroupId]
    include_authorized_operations: Bool


class ConsumerGroupDescribeResponse(Response, key=69, versions="0-1", flexible="0+"):
    """Answers with each group as its coordinator sees it."""

    throttle_time_ms: Int32
    groups: list[DescribedGroup]

    class DescribedGroup(Struct):
        error_code: Int16
        error_message: String | None = None
        group_id: GroupId
        group_state: String
        group_epoch: Int32
        """Rises with every change of members, wishes or subscribed topics."""
        assignment_epoch: Int32
        """Group epoch for which the target was computed; behind while assigning."""
        assignor_name: String
        members: list[Member]
        authorized_operations: Int32 = -2_147_483_648
        """Bit n is set if the caller may do ACL operation n; the smallest int: not asked
        for.
        """

        class Member(Struct):
            member_id: String
            instance_id: String | None = None
            rack_id: String | None = None
            member_epoch: Int32
            """Equal to the assignment epoch once the member has caught up."""
            client_id: String
            client_host: String
            subscribed_topic_names: list[TopicName]
            subscribed_topic_regex: String | None = None
            assignment: ConsumerGroupDescribeResponse.Assignment
            """What it owns."""
            target_assignment: ConsumerGroupDescribeResponse.Assignment
            """What it shall own."""
            member_type: Int8 = at("1+", default=-1, ignorable=True)
            """-1 unknown, 0 classic, 1 consumer."""

    class TopicPartitions(Struct):
        topic_id: Uuid
        topic_name: TopicName
        partitions: list[Int32]

    class Assignment(Struct):
        topic_partitions: list[ConsumerGroupDescribeResponse.TopicPartitions]
