"""Read the group's stored positions; called by consumers on a new assignment, and by tools.

Answered by the coordinator. A partition without a commit answers offset -1 and no error.

Versions: 2 null topics means all of them, and an error for the whole answer, 5 leader epoch,
6 flexible, 7 refuse while transactional commits are pending (KIP-447: UNSTABLE_OFFSET_COMMIT),
8 several groups at once (KIP-709: other fields both ways), 9 member id and epoch (KIP-848),
10 topic ids instead of names.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, GroupId, Int16, Int32, Int64, String, TopicName, Uuid


class OffsetFetchRequest(Request, key=9, versions="1-10", flexible="6+", listeners=("broker",)):
    """Asks for the offsets that groups have committed."""

    group_id: GroupId = at("-7")
    """The only group, up to version 7."""
    topics: list[OffsetFetchRequestTopic] | None = at("-7", nullable="2-7")
    """Null means every partition with a commit."""
    groups: list[OffsetFetchRequestGroup] = at("8+")
    require_stable: Bool = at("7+", default=False)
    """Refuse while a transaction may still change the offset."""

    class OffsetFetchRequestTopic(Struct):
        name: TopicName
        partition_indexes: list[Int32]

    class OffsetFetchRequestGroup(Struct):
        group_id: GroupId
        member_id: String | None = at("9+", default=None, ignorable=True)
        """Null unless a member of a KIP-848 group asks."""
        member_epoch: Int32 = at("9+", default=-1, ignorable=True)
        """-1 unless a member of a KIP-848 group asks."""
        topics: list[OffsetFetchRequestTopics] | None
        """Null means every partition with a commit."""

        class OffsetFetchRequestTopics(Struct):
            name: TopicName = at("-9", ignorable=True)
            topic_id: Uuid = at("10+", ignorable=True)
            partition_indexes: list[Int32]


class OffsetFetchResponse(Response, key=9, versions="1-10", flexible="6+"):
    """Answers with offset, leader epoch and metadata per partition."""

    throttle_time_ms: Int32 = at("3+", ignorable=True)
    topics: list[OffsetFetchResponseTopic] = at("-7")
    error_code: Int16 = at("2-7", default=0, ignorable=True)
    groups: list[OffsetFetchResponseGroup] = at("8+")

    class OffsetFetchResponseTopic(Struct):
        name: TopicName
        partitions: list[OffsetFetchResponsePartition]

        class OffsetFetchResponsePartition(Struct):
            partition_index: Int32
            committed_offset: Int64
            """-1 if nothing is committed."""
            committed_leader_epoch: Int32 = at("5+", default=-1, ignorable=True)
            """-1 if not known."""
            metadata: String | None
            error_code: Int16

    class OffsetFetchResponseGroup(Struct):
        group_id: GroupId
        topics: list[OffsetFetchResponseTopics]
        error_code: Int16 = 0

        class OffsetFetchResponseTopics(Struct):
            name: TopicName = at("-9", ignorable=True)
            topic_id: Uuid = at("10+", ignorable=True)
            partitions: list[OffsetFetchResponsePartitions]

            class OffsetFetchResponsePartitions(Struct):
                partition_index: Int32
                committed_offset: Int64
                """-1 if nothing is committed."""
                committed_leader_epoch: Int32 = at(default=-1, ignorable=True)
                """-1 if not known."""
                metadata: String | None
                error_code: Int16
