"""Share groups in `__consumer_offsets`, key types 10 to 15 (KIP-932).

Written by group coordinators in the manner of consumer groups. Delivery states are elsewhere, in
`__share_group_state`; key type 15 tracks for which partitions that state is being made, exists, or
is being deleted, so that a new coordinator takes up where the old one stopped.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import CoordinatorKey, CoordinatorValue, Struct
from moldau.protocol.wire.types import Int8, Int32, Int64, String, Uuid


class ShareGroupMemberMetadataKey(CoordinatorKey, key=10, versions="0"):
    """Names a member."""

    group_id: String
    member_id: String


class ShareGroupMemberMetadataValue(CoordinatorValue, key=10, versions="0", flexible="0+"):
    """Records what a member is and subscribes to."""

    rack_id: String | None
    client_id: String
    client_host: String
    subscribed_topic_names: list[String]


class ShareGroupMetadataKey(CoordinatorKey, key=11, versions="0"):
    """Names a share group."""

    group_id: String


class ShareGroupMetadataValue(CoordinatorValue, key=11, versions="0", flexible="0+"):
    """Records the group epoch and what it was computed from."""

    epoch: Int32
    metadata_hash: Int64
    """Of the subscribed topics as they were; another one bumps the epoch."""


class ShareGroupTargetAssignmentMetadataKey(CoordinatorKey, key=12, versions="0"):
    """Names a group's target assignment."""

    group_id: String


class ShareGroupTargetAssignmentMetadataValue(
    CoordinatorValue, key=12, versions="0", flexible="0+"
):
    """Records for which epoch the target was computed."""

    assignment_epoch: Int32
    assignment_timestamp: Int64 = at(default=0, tag=0, ignorable=True)


class ShareGroupTargetAssignmentMemberKey(CoordinatorKey, key=13, versions="0"):
    """Names a member of the target assignment."""

    group_id: String
    member_id: String


class ShareGroupTargetAssignmentMemberValue(CoordinatorValue, key=13, versions="0", flexible="0+"):
    """Records what a member shall fetch."""

    topic_partitions: list[TopicPartition]

    class TopicPartition(Struct):
        topic_id: Uuid
        partitions: list[Int32]


class ShareGroupCurrentMemberAssignmentKey(CoordinatorKey, key=14, versions="0"):
    """Names a member's present assignment."""

    group_id: String
    member_id: String


class ShareGroupCurrentMemberAssignmentValue(CoordinatorValue, key=14, versions="0", flexible="0+"):
    """Records what a member may fetch now."""

    member_epoch: Int32
    previous_member_epoch: Int32
    """Accepted once more, if the member missed an answer."""
    state: Int8
    assigned_partitions: list[TopicPartitions]

    class TopicPartitions(Struct):
        topic_id: Uuid
        partitions: list[Int32]


class ShareGroupStatePartitionMetadataKey(CoordinatorKey, key=15, versions="0"):
    """Names a group's list of partitions with state."""

    group_id: String


class ShareGroupStatePartitionMetadataValue(CoordinatorValue, key=15, versions="0", flexible="0+"):
    """Records how far the making of state is, by topic."""

    initializing_topics: list[TopicPartitionsInfo]
    """State asked for, not confirmed."""
    initialized_topics: list[TopicPartitionsInfo]
    """State exists: these may be assigned."""
    deleting_topics: list[TopicInfo]
    """Deletion asked for, not confirmed."""

    class TopicPartitionsInfo(Struct):
        topic_id: Uuid
        topic_name: String
        partitions: list[Int32]

    class TopicInfo(Struct):
        topic_id: Uuid
        topic_name: String
