"""Show how far share groups are; called by admin clients (KIP-932).

The group coordinator answers with what the share coordinator has stored. Version 1 adds the lag to
the answer (KIP-1226).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import GroupId, Int16, Int32, Int64, String, TopicName, Uuid


class DescribeShareGroupOffsetsRequest(
    Request, key=90, versions="0-1", flexible="0+", listeners=("broker",)
):
    """Asks for the start offsets of share groups."""

    groups: list[DescribeShareGroupOffsetsRequestGroup]

    class DescribeShareGroupOffsetsRequestGroup(Struct):
        group_id: GroupId
        topics: list[DescribeShareGroupOffsetsRequestTopic] | None
        """Null means every partition with state."""

        class DescribeShareGroupOffsetsRequestTopic(Struct):
            topic_name: TopicName
            partitions: list[Int32]


class DescribeShareGroupOffsetsResponse(Response, key=90, versions="0-1", flexible="0+"):
    """Answers with start offset and lag per partition."""

    throttle_time_ms: Int32
    groups: list[DescribeShareGroupOffsetsResponseGroup]

    class DescribeShareGroupOffsetsResponseGroup(Struct):
        group_id: GroupId
        topics: list[DescribeShareGroupOffsetsResponseTopic]
        error_code: Int16
        error_message: String | None = None

        class DescribeShareGroupOffsetsResponseTopic(Struct):
            topic_name: TopicName
            topic_id: Uuid
            partitions: list[DescribeShareGroupOffsetsResponsePartition]

            class DescribeShareGroupOffsetsResponsePartition(Struct):
                partition_index: Int32
                start_offset: Int64
                """All below is settled; -1 if never set."""
                leader_epoch: Int32
                lag: Int64 = at("1+", default=-1, ignorable=True)
                """Records still to settle; -1 if not known."""
                error_code: Int16
                error_message: String | None = None
