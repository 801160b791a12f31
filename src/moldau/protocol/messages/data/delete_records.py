"""Raise the log start offset of partitions; called by admin clients and Streams.

Answered by the leader, once every live replica has moved its own start or the timeout is over.
Nothing is rewritten: whole segments below the start go later, by retention.

Version 2 changes the encoding alone: it is flexible.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Int16, Int32, Int64, TopicName


class DeleteRecordsRequest(Request, key=21, versions="0-2", flexible="2+", listeners=("broker",)):
    """Asks to make everything below an offset unreadable."""

    topics: list[DeleteRecordsTopic]
    timeout_ms: Int32
    """After this the answer no longer waits for replicas."""

    class DeleteRecordsTopic(Struct):
        name: TopicName
        partitions: list[DeleteRecordsPartition]

        class DeleteRecordsPartition(Struct):
            partition_index: Int32
            offset: Int64
            """First offset to keep; -1 means the high watermark."""


class DeleteRecordsResponse(Response, key=21, versions="0-2", flexible="2+"):
    """Answers with the start offset each partition now has."""

    throttle_time_ms: Int32
    topics: list[DeleteRecordsTopicResult]

    class DeleteRecordsTopicResult(Struct):
        name: TopicName = at(map_key=True)
        partitions: list[DeleteRecordsPartitionResult]

        class DeleteRecordsPartitionResult(Struct):
            partition_index: Int32 = at(map_key=True)
            low_watermark: Int64
            """Lowest start offset among the replicas; -1 on an error."""
            error_code: Int16
