"""Store changed delivery states; a partition leader calls the share coordinator.

Only batches that changed are sent; the coordinator merges them. Stale state or leader epochs are
refused with FENCED_STATE_EPOCH and FENCED_LEADER_EPOCH.

Version 1 adds the number of finished deliveries, from which lag is computed (KIP-1226).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Int8, Int16, Int32, Int64, String, Uuid


class WriteShareGroupStateRequest(
    Request, key=85, versions="0-1", flexible="0+", listeners=("broker",)
):
    """Asks to store new delivery states."""

    group_id: String
    topics: list[WriteStateData]

    class WriteStateData(Struct):
        topic_id: Uuid
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition: Int32
            state_epoch: Int32
            """As read; a lower one than stored is refused."""
            leader_epoch: Int32
            """A lower one than stored is refused."""
            start_offset: Int64
            """All below is settled; -1: as stored."""
            delivery_complete_count: Int32 = at("1+", default=-1, ignorable=True)
            """Records settled beyond the start offset; -1 if not known."""
            state_batches: list[StateBatch]
            """Only what changed."""

            class StateBatch(Struct):
                """A range of records in one state."""

                first_offset: Int64
                last_offset: Int64
                """Inclusive."""
                delivery_state: Int8
                """0 available, 2 acknowledged, 4 archived; locks are not stored."""
                delivery_count: Int16
                """How often the records were handed out."""


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
