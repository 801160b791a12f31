"""Load the stored state of share partitions; a partition leader calls the share coordinator.

Sent when the leader first serves the share partition. The leader epoch that comes with it fences
whoever led before.
"""

from __future__ import annotations

from moldau.wire.schema import Request, Response, Struct
from moldau.wire.types import Int8, Int16, Int32, Int64, String, Uuid


class ReadShareGroupStateRequest(
    Request, key=84, versions="0", flexible="0+", listeners=("broker",)
):
    """Asks for everything known about share partitions."""

    group_id: String
    topics: list[ReadStateData]

    class ReadStateData(Struct):
        topic_id: Uuid
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition: Int32
            leader_epoch: Int32


class ReadShareGroupStateResponse(Response, key=84, versions="0", flexible="0+"):
    """Answers with start offset and delivery states."""

    results: list[ReadStateResult]

    class ReadStateResult(Struct):
        topic_id: Uuid
        partitions: list[PartitionResult]

        class PartitionResult(Struct):
            partition: Int32
            error_code: Int16
            error_message: String | None = None
            state_epoch: Int32
            start_offset: Int64
            state_batches: list[StateBatch]

            class StateBatch(Struct):
                first_offset: Int64
                last_offset: Int64
                delivery_state: Int8
                delivery_count: Int16
