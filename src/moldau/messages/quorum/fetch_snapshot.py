"""Read a metadata snapshot piece by piece; followers and observers of the quorum call it (KIP-630).

The leader answers, after a Fetch answer has named the snapshot. Pieces are cut at any byte; only
the whole is a sequence of record batches. A snapshot gone meanwhile is SNAPSHOT_NOT_FOUND.

Version 1 adds the caller's directory id and the nodes' endpoints (KIP-853).
"""

from __future__ import annotations

from moldau.wire.declaration import at
from moldau.wire.schema import Request, Response, Struct
from moldau.wire.types import (
    BrokerId,
    Int16,
    Int32,
    Int64,
    Records,
    String,
    TopicName,
    UInt16,
    Uuid,
)


class FetchSnapshotRequest(
    Request, key=59, versions="0-1", flexible="0+", listeners=("controller",)
):
    """Asks for the bytes of a snapshot from a position on."""

    cluster_id: String | None = at(default=None, tag=0)
    replica_id: BrokerId = -1
    max_bytes: Int32 = 0x7FFFFFFF
    topics: list[TopicSnapshot]

    class TopicSnapshot(Struct):
        name: TopicName
        partitions: list[PartitionSnapshot]

        class PartitionSnapshot(Struct):
            partition: Int32
            current_leader_epoch: Int32
            snapshot_id: SnapshotId
            position: Int64
            replica_directory_id: Uuid = at("1+", tag=0, ignorable=True)

            class SnapshotId(Struct):
                end_offset: Int64
                epoch: Int32


class FetchSnapshotResponse(Response, key=59, versions="0-1", flexible="0+"):
    """Answers with bytes, and the size of the whole."""

    throttle_time_ms: Int32 = at(ignorable=True)
    error_code: Int16
    topics: list[TopicSnapshot]
    node_endpoints: list[NodeEndpoint] = at("1+", tag=0)

    class TopicSnapshot(Struct):
        name: TopicName
        partitions: list[PartitionSnapshot]

        class PartitionSnapshot(Struct):
            index: Int32
            error_code: Int16
            snapshot_id: SnapshotId
            current_leader: LeaderIdAndEpoch = at(tag=0)
            size: Int64
            position: Int64
            unaligned_records: Records

            class SnapshotId(Struct):
                end_offset: Int64
                epoch: Int32

            class LeaderIdAndEpoch(Struct):
                leader_id: BrokerId
                leader_epoch: Int32

    class NodeEndpoint(Struct):
        node_id: BrokerId = at(map_key=True)
        host: String
        port: UInt16
