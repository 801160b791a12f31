"""Consumer groups of KIP-848 in `__consumer_offsets`, key types 3 to 8 and 16.

Written by group coordinators, the group in small records: its epoch, each member's wish, the target
assignment's epoch, each member's target, each member's present state, each regular expression. What
belongs together goes into one batch. Null values delete, members before the group.

Key type 4 was replaced by the metadata hash of key type 3; coordinators only delete it.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import CoordinatorKey, CoordinatorValue, Struct
from moldau.protocol.wire.types import Bytes, Int8, Int32, Int64, String, Uuid


class ConsumerGroupMetadataKey(CoordinatorKey, key=3, versions="0"):
    """Names a consumer group."""

    group_id: String


class ConsumerGroupMetadataValue(CoordinatorValue, key=3, versions="0", flexible="0+"):
    """Records the group epoch and what it was computed from."""

    epoch: Int32
    metadata_hash: Int64 = at(default=0, tag=0)
    """Of the subscribed topics as they were; another one bumps the epoch."""


class ConsumerGroupPartitionMetadataKey(CoordinatorKey, key=4, versions="0"):
    """Names the metadata a group once subscribed to."""

    group_id: String


class ConsumerGroupPartitionMetadataValue(CoordinatorValue, key=4, versions="0", flexible="0+"):
    """Recorded subscribed topics; read from old logs only."""

    topics: list[TopicMetadata]

    class TopicMetadata(Struct):
        topic_id: Uuid
        topic_name: String
        num_partitions: Int32
        partition_metadata: list[PartitionMetadata]

        class PartitionMetadata(Struct):
            partition: Int32
            racks: list[String]


class ConsumerGroupMemberMetadataKey(CoordinatorKey, key=5, versions="0"):
    """Names a member."""

    group_id: String
    member_id: String


class ConsumerGroupMemberMetadataValue(CoordinatorValue, key=5, versions="0", flexible="0+"):
    """Records what a member is and subscribes to."""

    instance_id: String | None
    """Null for dynamic members."""
    rack_id: String | None
    client_id: String
    client_host: String
    subscribed_topic_names: list[String]
    subscribed_topic_regex: String | None
    """Null or empty if it uses none."""
    rebalance_timeout_ms: Int32 = -1
    """-1 if never sent."""
    server_assignor: String | None
    """Null if it does not mind."""
    classic_member_metadata: ClassicMemberMetadata | None = at(tag=0)
    """Null unless the member speaks the classic protocol."""

    class ClassicMemberMetadata(Struct):
        """What a classic member sent when it joined."""

        session_timeout_ms: Int32
        supported_protocols: list[ClassicProtocol]

        class ClassicProtocol(Struct):
            name: String
            metadata: Bytes


class ConsumerGroupTargetAssignmentMetadataKey(CoordinatorKey, key=6, versions="0"):
    """Names a group's target assignment."""

    group_id: String


class ConsumerGroupTargetAssignmentMetadataValue(
    CoordinatorValue, key=6, versions="0", flexible="0+"
):
    """Records for which epoch the target was computed."""

    assignment_epoch: Int32
    """Equal to the group epoch unless a new target is due."""
    assignment_timestamp: Int64 = at(default=0, tag=0, ignorable=True)


class ConsumerGroupTargetAssignmentMemberKey(CoordinatorKey, key=7, versions="0"):
    """Names a member of the target assignment."""

    group_id: String
    member_id: String


class ConsumerGroupTargetAssignmentMemberValue(
    CoordinatorValue, key=7, versions="0", flexible="0+"
):
    """Records what a member shall own."""

    topic_partitions: list[TopicPartition]

    class TopicPartition(Struct):
        topic_id: Uuid
        partitions: list[Int32]


class ConsumerGroupCurrentMemberAssignmentKey(CoordinatorKey, key=8, versions="0"):
    """Names a member's present assignment."""

    group_id: String
    member_id: String


class ConsumerGroupCurrentMemberAssignmentValue(
    CoordinatorValue, key=8, versions="0", flexible="0+"
):
    """Records what a member owns and must give up."""

    member_epoch: Int32
    previous_member_epoch: Int32
    """Accepted once more, if the member missed an answer."""
    state: Int8
    """0 stable, 1 has yet to revoke, 2 waits for partitions others still own."""
    assigned_partitions: list[TopicPartitions]
    partitions_pending_revocation: list[TopicPartitions]
    """Taken away; the member has not let go yet."""

    class TopicPartitions(Struct):
        topic_id: Uuid
        partitions: list[Int32]
        assignment_epochs: list[Int32] | None = at(tag=0)
        """Epoch in which each came to the member, in order; fences late commits."""


class ConsumerGroupRegularExpressionKey(CoordinatorKey, key=16, versions="0"):
    """Names a regular expression that members subscribe to."""

    group_id: String
    regular_expression: String


class ConsumerGroupRegularExpressionValue(CoordinatorValue, key=16, versions="0", flexible="0+"):
    """Records the topics an expression matched."""

    topics: list[String]
    version: Int64
    """Metadata offset at which it was resolved."""
    timestamp: Int64
    """When it was resolved."""
