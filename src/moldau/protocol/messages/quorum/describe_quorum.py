"""Show voters and observers with their progress; called by admin clients (KIP-595).

The leader answers; a broker forwards to it. Another controller answers NOT_LEADER_OR_FOLLOWER.

Versions: 1 times of the last fetch (KIP-836), 2 directory ids, endpoints and messages (KIP-853).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import (
    BrokerId,
    Int16,
    Int32,
    Int64,
    String,
    TopicName,
    UInt16,
    Uuid,
)


class DescribeQuorumRequest(
    Request, key=55, versions="0-2", flexible="0+", listeners=("broker", "controller")
):
    """Asks how the metadata quorum is doing."""

    topics: list[TopicData]

    class TopicData(Struct):
        topic_name: TopicName
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition_index: Int32


class DescribeQuorumResponse(Response, key=55, versions="0-2", flexible="0+"):
    """Answers with leader, high watermark, voters and observers."""

    error_code: Int16
    error_message: String | None = at("2+", ignorable=True)
    topics: list[TopicData]
    nodes: list[Node] = at("2+")

    class TopicData(Struct):
        topic_name: TopicName
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition_index: Int32
            error_code: Int16
            error_message: String | None = at("2+", ignorable=True)
            leader_id: BrokerId
            """-1 if not known."""
            leader_epoch: Int32
            high_watermark: Int64
            current_voters: list[DescribeQuorumResponse.ReplicaState]
            observers: list[DescribeQuorumResponse.ReplicaState]
            """Brokers, and controllers that are not voters."""

    class Node(Struct):
        """A voter and where to reach it."""

        node_id: BrokerId = at(map_key=True)
        listeners: list[Listener]

        class Listener(Struct):
            name: String = at(map_key=True)
            host: String
            port: UInt16

    class ReplicaState(Struct):
        """How far one replica is, as the leader sees it."""

        replica_id: BrokerId
        replica_directory_id: Uuid = at("2+")
        log_end_offset: Int64
        """-1 until the replica has fetched."""
        last_fetch_timestamp: Int64 = at("1+", default=-1, ignorable=True)
        """By the leader's clock; -1 for the leader, or before any fetch."""
        last_caught_up_timestamp: Int64 = at("1+", default=-1, ignorable=True)
        """When it last had all that the leader had; -1 if never."""
