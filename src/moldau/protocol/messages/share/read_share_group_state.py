"""Load the stored state of share partitions; a partition leader calls the share coordinator.

Sent when the leader first serves the share partition. The leader epoch that comes with it fences
the previous leader.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Int8, Int16, Int32, Int64, String, Uuid


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
            """Remembered: calls of older leaders are refused from now on."""


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
            """All below is settled; -1 if never set."""
            state_batches: list[StateBatch]
            """In offset order; what is not covered is available."""

            class StateBatch(Struct):
                """A range of records in one state."""

                first_offset: Int64
                last_offset: Int64
                """Inclusive."""
                delivery_state: Int8
                """0 available, 2 acknowledged, 4 archived; locks are not stored."""
                delivery_count: Int16
                """How often the records were handed out."""
