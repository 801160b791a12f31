"""Show the directories of one broker and what lies in them; called by admin clients (KIP-113).

Versions: 2 flexible, 3 an error for the whole answer, 4 size and room of the volume (KIP-827),
5 whether new partitions are kept away from the directory (KIP-1066).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, Int16, Int32, Int64, String, TopicName


class DescribeLogDirsRequest(Request, key=35, versions="1-5", flexible="2+", listeners=("broker",)):
    """Asks one broker for sizes by directory and partition."""

    topics: list[DescribableLogDirTopic] | None
    """Null means all."""

    class DescribableLogDirTopic(Struct):
        topic: TopicName = at(map_key=True)
        partitions: list[Int32]


class DescribeLogDirsResponse(Response, key=35, versions="1-5", flexible="2+"):
    """Answers with every directory, offline ones with their error."""

    throttle_time_ms: Int32
    error_code: Int16 = at("3+", ignorable=True)
    results: list[DescribeLogDirsResult]

    class DescribeLogDirsResult(Struct):
        error_code: Int16
        """KAFKA_STORAGE_ERROR for a directory that is offline."""
        log_dir: String
        topics: list[DescribeLogDirsTopic]
        total_bytes: Int64 = at("4+", default=-1, ignorable=True)
        """Of the volume; -1 if not known."""
        usable_bytes: Int64 = at("4+", default=-1, ignorable=True)
        """Of the volume; -1 if not known."""
        is_cordoned: Bool = at("5+", default=False, ignorable=True)
        """Gets no new partitions."""

        class DescribeLogDirsTopic(Struct):
            name: TopicName
            partitions: list[DescribeLogDirsPartition]

            class DescribeLogDirsPartition(Struct):
                partition_index: Int32
                partition_size: Int64
                """Bytes of its segments."""
                offset_lag: Int64
                """Behind the high watermark; of a future log: behind the current one."""
                is_future_key: Bool
                """A copy on its way to take the place of the current log."""
