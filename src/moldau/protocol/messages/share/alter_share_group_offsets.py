"""Move the start offsets of a share group; called by admin clients (KIP-932).

The group coordinator answers and refuses while the group has members. Delivery states are lost.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import GroupId, Int16, Int32, Int64, String, TopicName, Uuid


class AlterShareGroupOffsetsRequest(
    Request, key=91, versions="0", flexible="0+", listeners=("broker",)
):
    """Asks that an empty share group start elsewhere."""

    group_id: GroupId
    topics: list[AlterShareGroupOffsetsRequestTopic]

    class AlterShareGroupOffsetsRequestTopic(Struct):
        topic_name: TopicName = at(map_key=True)
        partitions: list[AlterShareGroupOffsetsRequestPartition]

        class AlterShareGroupOffsetsRequestPartition(Struct):
            partition_index: Int32
            start_offset: Int64


class AlterShareGroupOffsetsResponse(Response, key=91, versions="0", flexible="0+"):
    """Answers for each partition."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None = None
    responses: list[AlterShareGroupOffsetsResponseTopic]

    class AlterShareGroupOffsetsResponseTopic(Struct):
        topic_name: TopicName = at(map_key=True)
        topic_id: Uuid
        partitions: list[AlterShareGroupOffsetsResponsePartition]

        class AlterShareGroupOffsetsResponsePartition(Struct):
            partition_index: Int32
            error_code: Int16
            error_message: String | None = None
