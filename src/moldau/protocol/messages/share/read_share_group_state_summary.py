"""Read the start offset of share partitions; the group coordinator calls the share coordinator.

Serves DescribeShareGroupOffsets. Version 1 adds the number of finished deliveries (KIP-1226).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Int16, Int32, Int64, String, Uuid


class ReadShareGroupStateSummaryRequest(
    Request, key=87, versions="0-1", flexible="0+", listeners=("broker",)
):
    """Asks for start offsets without delivery states."""

    group_id: String
    topics: list[ReadStateSummaryData]

    class ReadStateSummaryData(Struct):
        topic_id: Uuid
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition: Int32
            leader_epoch: Int32


class ReadShareGroupStateSummaryResponse(Response, key=87, versions="0-1", flexible="0+"):
    """Answers with start offset and epochs."""

    results: list[ReadStateSummaryResult]

    class ReadStateSummaryResult(Struct):
        topic_id: Uuid
        partitions: list[PartitionResult]

        class PartitionResult(Struct):
            partition: Int32
            error_code: Int16
            error_message: String | None = None
            state_epoch: Int32
            leader_epoch: Int32
            start_offset: Int64
            """-1 if never set."""
            delivery_complete_count: Int32 = at("1+", default=-1, ignorable=True)
            """Records settled beyond the start offset; -1 if not known."""
