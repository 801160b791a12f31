"""Ask for a vote, or whether a vote would be won; a voter calls it of every other voter (KIP-595).

Voters answer. A real vote is written to `quorum-state` before the answer, one per epoch. Whoever is
asked answers with the leader it knows, so that a candidate that is behind learns of it. Topics and
partitions are lists of one: `__cluster_metadata-0`.

Versions: 1 directory ids make a wiped disk another voter (KIP-853), 2 pre-vote, which raises no
epoch and stores nothing (KIP-996).
"""

from __future__ import annotations

from moldau.wire.declaration import at
from moldau.wire.schema import Request, Response, Struct
from moldau.wire.types import Bool, BrokerId, Int16, Int32, Int64, String, TopicName, UInt16, Uuid


class VoteRequest(Request, key=52, versions="0-2", flexible="0+", listeners=("controller",)):
    """Asks a voter for its vote in an epoch, or for its opinion."""

    cluster_id: String | None = None
    voter_id: BrokerId = at("1+", default=-1, ignorable=True)
    topics: list[TopicData]

    class TopicData(Struct):
        topic_name: TopicName
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition_index: Int32
            replica_epoch: Int32
            replica_id: BrokerId
            replica_directory_id: Uuid = at("1+", ignorable=True)
            voter_directory_id: Uuid = at("1+", ignorable=True)
            last_offset_epoch: Int32
            last_offset: Int64
            pre_vote: Bool = at("2+")


class VoteResponse(Response, key=52, versions="0-2", flexible="0+"):
    """Answers yes or no, and who leads."""

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
            vote_granted: Bool

    class NodeEndpoint(Struct):
        node_id: BrokerId = at(map_key=True)
        host: String
        port: UInt16
