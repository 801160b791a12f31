"""Describe topics page by page, with their eligible leaders; called by admin clients (KIP-966).

Any broker answers from its image of the metadata. Topics come in name order; the cursor of one
answer starts the next request.
"""

from __future__ import annotations

from moldau.wire.declaration import at
from moldau.wire.schema import Request, Response, Struct
from moldau.wire.types import Bool, BrokerId, Int16, Int32, TopicName, Uuid


class DescribeTopicPartitionsRequest(
    Request, key=75, versions="0", flexible="0+", listeners=("broker",)
):
    """Asks for a page of partitions of these topics, or of all."""

    topics: list[TopicRequest]
    response_partition_limit: Int32 = 2000
    cursor: Cursor | None = None

    class TopicRequest(Struct):
        name: TopicName

    class Cursor(Struct):
        topic_name: TopicName
        partition_index: Int32


class DescribeTopicPartitionsResponse(Response, key=75, versions="0", flexible="0+"):
    """Answers with partitions, and where the next page begins."""

    throttle_time_ms: Int32 = at(ignorable=True)
    topics: list[DescribeTopicPartitionsResponseTopic]
    next_cursor: Cursor | None = None

    class DescribeTopicPartitionsResponseTopic(Struct):
        error_code: Int16
        name: TopicName | None = at(map_key=True)
        topic_id: Uuid = at(ignorable=True)
        is_internal: Bool = at(default=False, ignorable=True)
        partitions: list[DescribeTopicPartitionsResponsePartition]
        topic_authorized_operations: Int32 = -2_147_483_648

        class DescribeTopicPartitionsResponsePartition(Struct):
            error_code: Int16
            partition_index: Int32
            leader_id: BrokerId
            leader_epoch: Int32 = at(default=-1, ignorable=True)
            replica_nodes: list[BrokerId]
            isr_nodes: list[BrokerId]
            eligible_leader_replicas: list[BrokerId] | None = None
            last_known_elr: list[BrokerId] | None = None
            offline_replicas: list[BrokerId] = at(ignorable=True)

    class Cursor(Struct):
        topic_name: TopicName
        partition_index: Int32
