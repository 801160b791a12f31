"""Add partitions to topics; called by admin clients.

A broker forwards it to the active controller. Existing records stay where they are, so keys may
from now on land elsewhere.

Versions: 2 flexible, 3 THROTTLING_QUOTA_EXCEEDED (KIP-599).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, BrokerId, Int16, Int32, String, TopicName


class CreatePartitionsRequest(
    Request, key=37, versions="0-3", flexible="2+", listeners=("broker", "controller")
):
    """Asks that topics have more partitions."""

    topics: list[CreatePartitionsTopic]
    timeout_ms: Int32
    validate_only: Bool
    """Check everything, add nothing."""

    class CreatePartitionsTopic(Struct):
        name: TopicName = at(map_key=True)
        count: Int32
        """How many there shall be in all."""
        assignments: list[CreatePartitionsAssignment] | None
        """One for each new partition; null lets the controller place them."""

        class CreatePartitionsAssignment(Struct):
            broker_ids: list[BrokerId]
            """The first is the preferred leader."""


class CreatePartitionsResponse(Response, key=37, versions="0-3", flexible="2+"):
    """Answers for each topic."""

    throttle_time_ms: Int32
    results: list[CreatePartitionsTopicResult]

    class CreatePartitionsTopicResult(Struct):
        name: TopicName
        error_code: Int16
        error_message: String | None = None
