"""Store changed delivery states; a partition leader calls the share coordinator.

Only batches that changed are sent; the coordinator merges them. Stale state or leader epochs are
refused with FENCED_STATE_EPOCH and FENCED_LEADER_EPOCH.

Version 1 adds the number of finished deliveries, from which lag is computed (KIP-1226).
"""

from __future__ import annotations

from moldau.wire.declaration import at
from moldau.wire.schema import Request, Response, Struct
from moldau.wire.types import Int8, Int16, Int32, Int64, String, Uuid


class WriteShareGroupStateRequest(
    Request, key=85, versions="0-1", flexible="0+", listeners=("broker",)
):
    """Asks to remember new delivery states."""

    group_id: String
    topics: list[WriteStateData]

    class WriteStateData(Struct):
        topic_id: Uuid
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition: Int32
            state_epoch: Int32
            leader_epoch: Int32
            start_offset: Int64
            delivery_complete_count: Int32 = at("1+", default=-1, ignorable=True)
            state_batches: list[StateBatch]

            class StateBatch(Struct):
                first_offset: Int64
                last_offset: Int64
                delivery_state: Int8
                delivery_count: Int16


class WriteShareGroupStateResponse(Response, key=85, versions="0-1", flexible="0+"):
    """Answers for each share partition once they are replicated."""

    results: list[WriteStateResult]

    class WriteStateResult(Struct):
        topic_id: Uuid
        partitions: list[PartitionResult]

        class PartitionResult(Struct):
            partition: Int32
            error_code: Int16
            error_message: String | None = None
