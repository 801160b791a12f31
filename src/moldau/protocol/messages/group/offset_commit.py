"""Store the group's positions; called by consumers, Streams, Connect and admin tools.

The coordinator writes one record per partition to `__consumer_offsets` and answers once they are
replicated. Generation -1 with an empty member id is a commit from outside the group protocol and
allowed only while the group is empty.

Versions: 2-4 carry a retention time, 6 leader epoch (KIP-320), 7 static membership (KIP-345),
8 flexible, 9 the generation may be a member epoch (KIP-848: STALE_MEMBER_EPOCH), 10 topic ids
instead of names.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import GroupId, Int16, Int32, Int64, String, TopicName, Uuid


class OffsetCommitRequest(Request, key=8, versions="2-10", flexible="8+", listeners=("broker",)):
    """Asks to store one offset per partition for the group."""

    group_id: GroupId
    generation_id_or_member_epoch: Int32 = at(default=-1, ignorable=True)
    """-1 with an empty member id: from outside the protocol."""
    member_id: String = at(ignorable=True)
    group_instance_id: String | None = at("7+", default=None)
    """Null for dynamic members."""
    retention_time_ms: Int64 = at("-4", default=-1, ignorable=True)
    """-1 leaves it to the broker's setting."""
    topics: list[OffsetCommitRequestTopic]

    class OffsetCommitRequestTopic(Struct):
        name: TopicName = at("-9", ignorable=True)
        topic_id: Uuid = at("10+", ignorable=True)
        partitions: list[OffsetCommitRequestPartition]

        class OffsetCommitRequestPartition(Struct):
            partition_index: Int32
            committed_offset: Int64
            """The next record to read."""
            committed_leader_epoch: Int32 = at("6+", default=-1, ignorable=True)
            """Leader epoch of the last record consumed; -1 if not known."""
            committed_metadata: String | None
            """Free text of the client, bounded by the broker."""


class OffsetCommitResponse(Response, key=8, versions="2-10", flexible="8+"):
    """Answers for each partition."""

    throttle_time_ms: Int32 = at("3+", ignorable=True)
    topics: list[OffsetCommitResponseTopic]

    class OffsetCommitResponseTopic(Struct):
        name: TopicName = at("-9", ignorable=True)
        topic_id: Uuid = at("10+", ignorable=True)
        partitions: list[OffsetCommitResponsePartition]

        class OffsetCommitResponsePartition(Struct):
            partition_index: Int32
            error_code: Int16
