"""Resign; a leader that shuts down calls it of every voter (KIP-595).

Voters answer, and the sooner they stand in the list of preferred candidates, the sooner they start
an election.

Version 1 is flexible, names candidates by their directory too and brings the leader's endpoints
(KIP-853).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import BrokerId, Int16, Int32, String, TopicName, UInt16, Uuid


class EndQuorumEpochRequest(
    Request, key=54, versions="0-1", flexible="1+", listeners=("controller",)
):
    """Announces that the leader resigns, and its preferred successors."""

    cluster_id: String | None = None
    """Another cluster's id is refused; null is not checked."""
    topics: list[TopicData]
    leader_endpoints: list[LeaderEndpoint] = at("1+", ignorable=True)

    class TopicData(Struct):
        topic_name: TopicName
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition_index: Int32
            leader_id: BrokerId
            """Who resigns."""
            leader_epoch: Int32
            preferred_successors: list[Int32] = at("-0", ignorable=True)
            """Those with the longest logs first."""
            preferred_candidates: list[ReplicaInfo] = at("1+", ignorable=True)
            """Those with the longest logs first."""

            class ReplicaInfo(Struct):
                """A voter, as a candidate."""

                candidate_id: BrokerId
                candidate_directory_id: Uuid

    class LeaderEndpoint(Struct):
        """One listener of the leader."""

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
            """-1 if not known."""
            leader_epoch: Int32

    class NodeEndpoint(Struct):
        """Address of a leader named above."""

        node_id: BrokerId = at(map_key=True)
        host: String
        port: UInt16
