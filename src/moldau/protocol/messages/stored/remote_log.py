"""Tiered storage in `__remote_log_metadata`, written by partition leaders (KIP-405).

Framed like metadata records: varints for frame, id and version before the body. A segment is noted
when its upload begins, then each change of its state. Replicas of the partition read them to know
what lies in remote storage. The snapshot record is for files on a broker's own disk.

Segment states: 0 copy started, 1 copied, 2 deletion started, 3 deleted.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import MetadataRecord, Struct
from moldau.protocol.wire.types import Bool, Bytes, Int8, Int32, Int64, String, Uuid


class RemoteLogSegmentMetadataRecord(MetadataRecord, key=0, versions="0", flexible="0+"):
    """Records a segment whose upload begins."""

    remote_log_segment_id: RemoteLogSegmentIdEntry
    start_offset: Int64
    end_offset: Int64
    """Inclusive."""
    broker_id: Int32
    """Who wrote this."""
    max_timestamp_ms: Int64
    event_timestamp_ms: Int64
    segment_leader_epochs: list[SegmentLeaderEpochEntry]
    segment_size_in_bytes: Int32
    custom_metadata: Bytes | None = None
    """The storage plugin's own; opaque to us."""
    remote_log_segment_state: Int8
    """0 copying, 1 copied, 2 being deleted, 3 deleted."""
    txn_index_empty: Bool = at(tag=0)

    class RemoteLogSegmentIdEntry(Struct):
        topic_id_partition: TopicIdPartitionEntry
        id: Uuid

        class TopicIdPartitionEntry(Struct):
            name: String
            id: Uuid
            partition: Int32

    class SegmentLeaderEpochEntry(Struct):
        """Where in the segment a leader epoch begins."""

        leader_epoch: Int32
        offset: Int64


class RemoteLogSegmentMetadataUpdateRecord(MetadataRecord, key=1, versions="0", flexible="0+"):
    """Records that a segment's state changed."""

    remote_log_segment_id: RemoteLogSegmentIdEntry
    broker_id: Int32
    """Who wrote this."""
    event_timestamp_ms: Int64
    custom_metadata: Bytes | None = None
    """The storage plugin's own; opaque to us."""
    remote_log_segment_state: Int8
    """0 copying, 1 copied, 2 being deleted, 3 deleted."""

    class RemoteLogSegmentIdEntry(Struct):
        topic_id_partition: TopicIdPartitionEntry
        id: Uuid

        class TopicIdPartitionEntry(Struct):
            name: String
            id: Uuid
            partition: Int32


class RemotePartitionDeleteMetadataRecord(MetadataRecord, key=2, versions="0", flexible="0+"):
    """Records how far a partition's deletion is."""

    topic_id_partition: TopicIdPartitionEntry
    broker_id: Int32
    event_timestamp_ms: Int64
    remote_partition_delete_state: Int8
    """0 marked, 1 under way, 2 done."""

    class TopicIdPartitionEntry(Struct):
        name: String
        id: Uuid
        partition: Int32


class RemoteLogSegmentMetadataSnapshotRecord(MetadataRecord, key=3, versions="0", flexible="0+"):
    """Records a segment in a broker's own file."""

    segment_id: Uuid
    start_offset: Int64
    end_offset: Int64
    """Inclusive."""
    broker_id: Int32
    """Who wrote this."""
    max_timestamp_ms: Int64
    event_timestamp_ms: Int64
    segment_leader_epochs: list[SegmentLeaderEpochEntry]
    segment_size_in_bytes: Int32
    custom_metadata: Bytes | None = None
    """The storage plugin's own; opaque to us."""
    remote_log_segment_state: Int8
    """0 copying, 1 copied, 2 being deleted, 3 deleted."""
    txn_index_empty: Bool = at(tag=0)

    class SegmentLeaderEpochEntry(Struct):
        """Where in the segment a leader epoch begins."""

        leader_epoch: Int32
        offset: Int64
