"""Resign; a leader that shuts down calls it of every voter (KIP-595).

Voters answer, and the sooner they stand in the list of preferred candidates, the sooner they start
an election.

Version 1 is flexible, names candidates by their directory too and brings the leader's endpoints
(KIP-853).
"""

from __future__ import annotations

from moldau.wire.declaration import at
from moldau.wire.schema import Request, Response, Struct
from moldau.wire.types import BrokerId, Int16, Int32, String, TopicName, UInt16, Uuid


class EndQuorumEpochRequest(
    Request, key=54, versions="0-1", flexible="1+", listeners=("controller",)
):
    """Says that the leader steps down, and who should follow."""

    cluster_id: String | None = None
    topics: list[TopicData]
    leader_endpoints: list[LeaderEndpoint] = at("1+", ignorable=True)

    class TopicData(Struct):
        topic_name: TopicName
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition_index: Int32
            leader_id: BrokerId
            leader_epoch: Int32
            preferred_successors: list[Int32] = at("-0", ignorable=True)
            preferred_candidates: list[ReplicaInfo] = at("1+", ignorable=True)

            class ReplicaInfo(Struct):
                candidate_id: BrokerId
                candidate_directory_id: Uuid

    class LeaderEndpoint(Struct):
        name: String = at(map_key=True)
        host: String
        port: UInt16


class EndQuorumEpochResponse(Response, key=54, versions="0-1", flexible="1+"):
    """Answers with leader and epoch as the voter sees them."""

    error_code: Int16
    topics: list[TopicData]
    node_endpoints: list[NodeEndpoint] = at("1+", tag=0)

    class TopicData(Struct):
        topic_name: TopicName
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition_index: Int32
            error_code: Int16
            leader_id: BrokerId
            leader_epoch: Int32

    class NodeEndpoint(Struct):
        node_id: BrokerId = at(map_key=True)
        host: String
        port: UInt16
