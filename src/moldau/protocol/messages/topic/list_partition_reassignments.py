"""List the moves that are under way; called by admin clients (KIP-455).

A broker forwards it to the active controller. Partitions at rest are left out of the answer.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import BrokerId, Int16, Int32, String, TopicName


class ListPartitionReassignmentsRequest(
    Request, key=46, versions="0", flexible="0+", listeners=("broker", "controller")
):
    """Asks which partitions are moving."""

    timeout_ms: Int32 = 60000
    topics: list[ListPartitionReassignmentsTopics] | None = None
    """Null means all."""

    class ListPartitionReassignmentsTopics(Struct):
        name: TopicName
        partition_indexes: list[Int32]


class ListPartitionReassignmentsResponse(Response, key=46, versions="0", flexible="0+"):
    """Answers with present, coming and going replicas."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None
    topics: list[OngoingTopicReassignment]

    class OngoingTopicReassignment(Struct):
        name: TopicName
        partitions: list[OngoingPartitionReassignment]

        class OngoingPartitionReassignment(Struct):
            partition_index: Int32
            replicas: list[BrokerId]
            """Present ones, with those that come and those that go."""
            adding_replicas: list[BrokerId]
            removing_replicas: list[BrokerId]
