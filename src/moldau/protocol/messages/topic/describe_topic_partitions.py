"""Describe topics page by page, with their eligible leaders; called by admin clients (KIP-966).

Any broker answers from its image of the metadata. Topics come in name order; the cursor of one
answer starts the next request.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, BrokerId, Int16, Int32, TopicName, Uuid


class DescribeTopicPartitionsRequest(
    Request, key=75, versions="0", flexible="0+", listeners=("broker",)
):
    """Asks for a page of partitions of these topics, or of all."""

    topics: list[TopicRequest]
    """None means all topics."""
    response_partition_limit: Int32 = 2000
    """Partitions per page; the broker has a limit of its own."""
    cursor: Cursor | None = None

    class TopicRequest(Struct):
        name: TopicName

    class Cursor(Struct):
        """The first partition of the page; null starts at the beginning."""

        topic_name: TopicName
        partition_index: Int32


class DescribeTopicPartitionsResponse(Response, key=75, versions="0", flexible="0+"):
    """Answers with partitions, and where the next page begins."""

    throttle_time_ms: Int32 = at(ignorable=True)
    topics: list[DescribeTopicPartitionsResponseTopic]
    next_cursor: Cursor | None = None
    """Null on the last page."""

    class DescribeTopicPartitionsResponseTopic(Struct):
        error_code: Int16
        name: TopicName | None = at(map_key=True)
        topic_id: Uuid = at(ignorable=True)
        is_internal: Bool = at(default=False, ignorable=True)
        partitions: list[DescribeTopicPartitionsResponsePartition]
        topic_authorized_operations: Int32 = -2_147_483_648
        """Bit n is set if the caller may do ACL operation n; the smallest int: not asked
        for.
        """

        class DescribeTopicPartitionsResponsePartition(Struct):
            error_code: Int16
            partition_index: Int32
            leader_id: BrokerId
            leader_epoch: Int32 = at(default=-1, ignorable=True)
            replica_nodes: list[BrokerId]
            """The first is the preferred leader."""
            isr_nodes: list[BrokerId]
            eligible_leader_replicas: list[BrokerId] | None = None
            """Left the in-sync set, yet lack nothing that was acknowledged."""
            last_known_elr: list[BrokerId] | None = None
            """Were eligible until they came back without proof of a clean stop."""
            offline_replicas: list[BrokerId] = at(ignorable=True)

    class Cursor(Struct):
        """The first partition of the next page."""

        topic_name: TopicName
        partition_index: Int32
