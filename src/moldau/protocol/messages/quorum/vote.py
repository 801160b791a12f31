"""Ask for a vote, or whether a vote would be won; a voter calls it of every other voter (KIP-595).

A real vote is written to `quorum-state` before the answer, one per epoch. A voter that is
asked names the leader it has, so that a candidate that is behind gets it. Topics and
partitions are lists of one: `__cluster_metadata-0`.

Versions: 1 directory ids make a wiped disk another voter (KIP-853), 2 pre-vote, which raises no
epoch and stores nothing (KIP-996).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import (
    Bool,
    BrokerId,
    Int16,
    Int32,
    Int64,
    String,
    TopicName,
    UInt16,
    Uuid,
)


class VoteRequest(Request, key=52, versions="0-2", flexible="0+", listeners=("controller",)):
    """Asks a voter for its vote in an epoch, or for a pre-vote (KIP-996)."""

    cluster_id: String | None = None
    """Another cluster's id is refused; null is not checked."""
    voter_id: BrokerId = at("1+", default=-1, ignorable=True)
    """Who is asked; -1 is not checked."""
    topics: list[TopicData]

    class TopicData(Struct):
        topic_name: TopicName
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition_index: Int32
            replica_epoch: Int32
            """Epoch the vote is for; of a pre-vote, the present one."""
            replica_id: BrokerId
            """Who asks."""
            replica_directory_id: Uuid = at("1+", ignorable=True)
            """All zero if the directory is not known."""
            voter_directory_id: Uuid = at("1+", ignorable=True)
            """Whose vote is asked for; all zero is not checked."""
            last_offset_epoch: Int32
            """Epoch at the end of the candidate's log; compared before the offset."""
            last_offset: Int64
            """End of the candidate's log: one after its last record."""
            pre_vote: Bool = at("2+")
            """Only a pre-vote: nothing is promised or stored."""


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
            """-1 if not known."""
            leader_epoch: Int32
            vote_granted: Bool

    class NodeEndpoint(Struct):
        """Address of a leader named above."""

        node_id: BrokerId = at(map_key=True)
        host: String
        port: UInt16
