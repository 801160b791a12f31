"""Report which directory each replica lives in; a broker with several calls it (KIP-858).

The active controller answers and writes it down, so that the failure of one directory moves the
right leaders. A broker holds back until its assignments are known.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import BrokerId, Int16, Int32, Int64, Uuid


class AssignReplicasToDirsRequest(
    Request, key=73, versions="0", flexible="0+", listeners=("controller",)
):
    """Reports which replicas lie in which directories."""

    broker_id: BrokerId
    broker_epoch: Int64 = -1
    """A stale one is refused."""
    directories: list[DirectoryData]

    class DirectoryData(Struct):
        id: Uuid
        topics: list[TopicData]

        class TopicData(Struct):
            topic_id: Uuid
            partitions: list[PartitionData]

            class PartitionData(Struct):
                partition_index: Int32


class AssignReplicasToDirsResponse(Response, key=73, versions="0", flexible="0+"):
    """Answers for each replica."""

    throttle_time_ms: Int32
    error_code: Int16
    directories: list[DirectoryData]

    class DirectoryData(Struct):
        id: Uuid
        topics: list[TopicData]

        class TopicData(Struct):
            topic_id: Uuid
            partitions: list[PartitionData]

            class PartitionData(Struct):
                partition_index: Int32
                error_code: Int16
