"""Announce a new leader; the leader calls it of every voter until that voter fetches (KIP-595).

Voters answer and become followers. A stale epoch is FENCED_LEADER_EPOCH, which means that the
caller leads no more.

Version 1 is flexible, names the voter meant by its directory and brings the leader's endpoints, so
that voters need no configuration of them (KIP-853).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import BrokerId, Int16, Int32, String, TopicName, UInt16, Uuid


class BeginQuorumEpochRequest(
    Request, key=53, versions="0-1", flexible="1+", listeners=("controller",)
):
    """Announces who leads from this epoch on, and where to reach it."""

    cluster_id: String | None = None
    """Another cluster's id is refused; null is not checked."""
    voter_id: BrokerId = at("1+", default=-1, ignorable=True)
    """Who is meant; -1 is not checked."""
    topics: list[TopicData]
    leader_endpoints: list[LeaderEndpoint] = at("1+", ignorable=True)

    class TopicData(Struct):
        topic_name: TopicName
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition_index: Int32
            voter_directory_id: Uuid = at("1+", ignorable=True)
            """Who is meant; all zero is not checked."""
            leader_id: BrokerId
            leader_epoch: Int32

    class LeaderEndpoint(Struct):
        """One listener of the leader."""

        name: String = at(map_key=True)
        host: String
        port: UInt16


class BeginQuorumEpochResponse(Response, key=53, versions="0-1", flexible="1+"):
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
