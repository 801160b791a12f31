"""Turn a timestamp or a named place into an offset; called by consumers, tools and followers.

Answered by the leader. The places are negative timestamps: -1 the end, -2 the start, -3 the record
with the largest timestamp, -4 the first offset on local disk, -5 the last one tiered, -6 the first
one still waiting for upload.

Versions: 1 one offset per partition, 2 isolation level, 4 leader epoch check, 6 flexible,
7 place -3 (KIP-734), 8 place -4 (KIP-405), 9 place -5 (KIP-1005), 10 a timeout for look-ups in
remote storage (KIP-1075), 11 place -6 (KIP-1023).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import BrokerId, Int8, Int16, Int32, Int64, TopicName


class ListOffsetsRequest(Request, key=2, versions="1-11", flexible="6+", listeners=("broker",)):
    """Asks which offset belongs to a time or a named place."""

    replica_id: BrokerId
    """-1 for consumers, -2 for debugging tools."""
    isolation_level: Int8 = at("2+")
    """What the end is: 0 the high watermark, 1 the last stable offset."""
    topics: list[ListOffsetsTopic]
    timeout_ms: Int32 = at("10+", ignorable=True)
    """How long a look-up in remote storage may take."""

    class ListOffsetsTopic(Struct):
        name: TopicName
        partitions: list[ListOffsetsPartition]

        class ListOffsetsPartition(Struct):
            partition_index: Int32
            current_leader_epoch: Int32 = at("4+", default=-1, ignorable=True)
            """Checked against the leader's own; -1 skips the check."""
            timestamp: Int64
            """Milliseconds, or a negative number for a place: see the module."""


class ListOffsetsResponse(Response, key=2, versions="1-11", flexible="6+"):
    """Answers with an offset, its timestamp and its leader epoch."""

    throttle_time_ms: Int32 = at("2+", ignorable=True)
    topics: list[ListOffsetsTopicResponse]

    class ListOffsetsTopicResponse(Struct):
        name: TopicName
        partitions: list[ListOffsetsPartitionResponse]

        class ListOffsetsPartitionResponse(Struct):
            partition_index: Int32
            error_code: Int16
            timestamp: Int64 = -1
            """The found record's own; -1 if none is that late, and for most places."""
            offset: Int64 = -1
            """First offset at or after the timestamp; -1 if there is none."""
            leader_epoch: Int32 = at("4+", default=-1)
            """Epoch of that offset; -1 if not known."""
