"""Describe share groups; called by admin clients (KIP-932).

The group coordinator answers. Version 0 was a preview and is gone.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, GroupId, Int16, Int32, String, TopicName, Uuid


class ShareGroupDescribeRequest(
    Request, key=77, versions="1", flexible="1+", listeners=("broker",)
):
    """Asks for state, members and assignments of share groups."""

    group_ids: list[GroupId]
    include_authorized_operations: Bool


class ShareGroupDescribeResponse(Response, key=77, versions="1", flexible="1+"):
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
        """Group epoch for which the target was computed."""
        assignor_name: String
        members: list[Member]
        authorized_operations: Int32 = -2_147_483_648
        """Bit n is set if the caller may do ACL operation n; the smallest int: not asked
        for.
        """

        class Member(Struct):
            member_id: String
            rack_id: String | None = None
            member_epoch: Int32
            client_id: String
            client_host: String
            subscribed_topic_names: list[TopicName]
            assignment: ShareGroupDescribeResponse.Assignment

    class TopicPartitions(Struct):
        topic_id: Uuid
        topic_name: TopicName
        partitions: list[Int32]

    class Assignment(Struct):
        topic_partitions: list[ShareGroupDescribeResponse.TopicPartitions]
