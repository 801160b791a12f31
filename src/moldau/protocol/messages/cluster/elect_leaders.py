"""Elect leaders anew; called by admin clients (KIP-183, KIP-460).

A broker forwards it to the active controller. A partition whose leader is right already answers
ELECTION_NOT_NEEDED.

Versions: 1 unclean elections as well, 2 flexible.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Int8, Int16, Int32, String, TopicName


class ElectLeadersRequest(
    Request, key=43, versions="0-2", flexible="2+", listeners=("broker", "controller")
):
    """Asks for elections, preferred or unclean."""

    election_type: Int8 = at("1+")
    """0 preferred, 1 unclean: any live replica, records may be lost."""
    topic_partitions: list[TopicPartitions] | None
    """Null means all partitions."""
    timeout_ms: Int32 = 60000

    class TopicPartitions(Struct):
        topic: TopicName = at(map_key=True)
        partitions: list[Int32]


class ElectLeadersResponse(Response, key=43, versions="0-2", flexible="2+"):
    """Answers for each partition."""

    throttle_time_ms: Int32
    error_code: Int16 = at("1+")
    replica_election_results: list[ReplicaElectionResult]
    """Empty if all failed by the error above."""

    class ReplicaElectionResult(Struct):
        topic: TopicName
        partition_result: list[PartitionResult]

        class PartitionResult(Struct):
            partition_id: Int32
            error_code: Int16
            error_message: String | None
