"""Read a metadata snapshot piece by piece; followers and observers of the quorum call it (KIP-630).

The leader answers, after a Fetch answer has named the snapshot. Pieces are cut at any byte; only
the whole is a sequence of record batches. A snapshot gone meanwhile is SNAPSHOT_NOT_FOUND.

Version 1 adds the caller's directory id and the nodes' endpoints (KIP-853).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import (
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
    """Another cluster's id is refused; null is not checked."""
    replica_id: BrokerId = -1
    """-1 if it is no replica that asks."""
    max_bytes: Int32 = 0x7FFFFFFF
    topics: list[TopicSnapshot]

    class TopicSnapshot(Struct):
        name: TopicName
        partitions: list[PartitionSnapshot]

        class PartitionSnapshot(Struct):
            partition: Int32
            current_leader_epoch: Int32
            """Checked against the leader's own; -1 skips the check."""
            snapshot_id: SnapshotId
            position: Int64
            """Byte in the snapshot to go on from."""
            replica_directory_id: Uuid = at("1+", tag=0, ignorable=True)
            """All zero if the directory is not known."""

            class SnapshotId(Struct):
                """A snapshot is named by the offset and epoch that it reaches up to."""

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
            """Set when another node leads."""
            size: Int64
            """Bytes of the whole snapshot."""
            position: Int64
            """Where in the snapshot the bytes below belong."""
            unaligned_records: Records
            """Cut anywhere: batches only when put together."""

            class SnapshotId(Struct):
                end_offset: Int64
                epoch: Int32

            class LeaderIdAndEpoch(Struct):
                leader_id: BrokerId
                leader_epoch: Int32

    class NodeEndpoint(Struct):
        """Address of a leader named above."""

        node_id: BrokerId = at(map_key=True)
        host: String
        port: UInt16
