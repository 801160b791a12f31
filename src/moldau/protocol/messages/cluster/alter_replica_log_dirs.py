"""Move replicas between one broker's log directories; called by admin clients (KIP-113).

The broker that owns the replicas answers at once and copies in the background; DescribeLogDirs
shows the copies as future logs.

Version 2 changes the encoding alone: it is flexible.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Int16, Int32, String, TopicName


class AlterReplicaLogDirsRequest(
    Request, key=34, versions="1-2", flexible="2+", listeners=("broker",)
):
    """Asks one broker to keep replicas in other directories."""

    dirs: list[AlterReplicaLogDir]

    class AlterReplicaLogDir(Struct):
        path: String = at(map_key=True)
        """Absolute, as configured."""
        topics: list[AlterReplicaLogDirTopic]

        class AlterReplicaLogDirTopic(Struct):
            name: TopicName = at(map_key=True)
            partitions: list[Int32]


class AlterReplicaLogDirsResponse(Response, key=34, versions="1-2", flexible="2+"):
    """Answers for each partition."""

    throttle_time_ms: Int32
    results: list[AlterReplicaLogDirTopicResult]

    class AlterReplicaLogDirTopicResult(Struct):
        topic_name: TopicName
        partitions: list[AlterReplicaLogDirPartitionResult]

        class AlterReplicaLogDirPartitionResult(Struct):
            partition_index: Int32
            error_code: Int16
