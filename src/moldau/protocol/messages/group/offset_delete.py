"""Forget committed offsets of single partitions; called by admin clients (KIP-496).

The coordinator refuses partitions of topics to which a live member subscribes
(GROUP_SUBSCRIBED_TO_TOPIC). Never became flexible.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import GroupId, Int16, Int32, TopicName


class OffsetDeleteRequest(Request, key=47, versions="0", listeners=("broker",)):
    """Asks to drop the group's offsets for these partitions."""

    group_id: GroupId
    topics: list[OffsetDeleteRequestTopic]

    class OffsetDeleteRequestTopic(Struct):
        name: TopicName = at(map_key=True)
        partitions: list[OffsetDeleteRequestPartition]

        class OffsetDeleteRequestPartition(Struct):
            partition_index: Int32


class OffsetDeleteResponse(Response, key=47, versions="0"):
    """Answers for each partition, or once for the whole group."""

    error_code: Int16
    throttle_time_ms: Int32 = at(ignorable=True)
    topics: list[OffsetDeleteResponseTopic]

    class OffsetDeleteResponseTopic(Struct):
        name: TopicName = at(map_key=True)
        partitions: list[OffsetDeleteResponsePartition]

        class OffsetDeleteResponsePartition(Struct):
            partition_index: Int32 = at(map_key=True)
            error_code: Int16
