"""Create the stored state of share partitions; the group coordinator calls the share coordinator.

Sent when a share group first subscribes to a topic and when its offsets are altered: a higher state
epoch makes every older state void.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Int16, Int32, Int64, String, Uuid


class InitializeShareGroupStateRequest(
    Request, key=83, versions="0", flexible="0+", listeners=("broker",)
):
    """Asks to start the state of share partitions at an offset."""

    group_id: String
    topics: list[InitializeStateData]

    class InitializeStateData(Struct):
        topic_id: Uuid
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition: Int32
            state_epoch: Int32
            """Made higher by each alteration of offsets."""
            start_offset: Int64
            """-1 leaves it to the leader, by the group's reset policy."""


class InitializeShareGroupStateResponse(Response, key=83, versions="0", flexible="0+"):
    """Answers for each share partition."""

    results: list[InitializeStateResult]

    class InitializeStateResult(Struct):
        topic_id: Uuid
        partitions: list[PartitionResult]

        class PartitionResult(Struct):
            partition: Int32
            error_code: Int16
            error_message: String | None = None
