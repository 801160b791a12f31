"""Forget the stored state of share partitions; the group coordinator calls the share coordinator.

Sent when a share group, its offsets or a topic is deleted.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Int16, Int32, String, Uuid


class DeleteShareGroupStateRequest(
    Request, key=86, versions="0", flexible="0+", listeners=("broker",)
):
    """Asks to drop the state of share partitions."""

    group_id: String
    topics: list[DeleteStateData]

    class DeleteStateData(Struct):
        topic_id: Uuid
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition: Int32


class DeleteShareGroupStateResponse(Response, key=86, versions="0", flexible="0+"):
    """Answers for each share partition."""

    results: list[DeleteStateResult]

    class DeleteStateResult(Struct):
        topic_id: Uuid
        partitions: list[PartitionResult]

        class PartitionResult(Struct):
            partition: Int32
            error_code: Int16
            error_message: String | None = None
