"""Start or cancel moves of partitions to other brokers; called by admin clients (KIP-455).

A broker forwards it to the active controller, which answers when the move is written down, not when
it is done.

Version 1 adds a guard against changing the replication factor by accident (KIP-860).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, BrokerId, Int16, Int32, String, TopicName


class AlterPartitionReassignmentsRequest(
    Request, key=45, versions="0-1", flexible="0+", listeners=("broker", "controller")
):
    """Asks for new replica lists, or to give up a move."""

    timeout_ms: Int32 = 60000
    allow_replication_factor_change: Bool = at("1+", default=True)
    """False refuses lists of another length."""
    topics: list[ReassignableTopic]

    class ReassignableTopic(Struct):
        name: TopicName
        partitions: list[ReassignablePartition]

        class ReassignablePartition(Struct):
            partition_index: Int32
            replicas: list[BrokerId] | None = None
            """Null gives up the move that is under way."""


class AlterPartitionReassignmentsResponse(Response, key=45, versions="0-1", flexible="0+"):
    """Answers for each partition."""

    throttle_time_ms: Int32
    allow_replication_factor_change: Bool = at("1+", default=True, ignorable=True)
    error_code: Int16
    error_message: String | None
    responses: list[ReassignableTopicResponse]

    class ReassignableTopicResponse(Struct):
        name: TopicName
        partitions: list[ReassignablePartitionResponse]

        class ReassignablePartitionResponse(Struct):
            partition_index: Int32
            error_code: Int16
            error_message: String | None
