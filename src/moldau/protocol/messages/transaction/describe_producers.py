"""Show the active producers of a partition; admin clients call it to find stuck transactions.

Answered by any replica's broker from its producer state, which forgets idle producers
(KIP-664).
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Int16, Int32, Int64, ProducerId, String, TopicName


class DescribeProducersRequest(Request, key=61, versions="0", flexible="0+", listeners=("broker",)):
    """Asks which producers have state in these partitions."""

    topics: list[TopicRequest]

    class TopicRequest(Struct):
        name: TopicName
        partition_indexes: list[Int32]


class DescribeProducersResponse(Response, key=61, versions="0", flexible="0+"):
    """Answers with epoch, sequence and open transaction of each."""

    throttle_time_ms: Int32
    topics: list[TopicResponse]

    class TopicResponse(Struct):
        name: TopicName
        partitions: list[PartitionResponse]

        class PartitionResponse(Struct):
            partition_index: Int32
            error_code: Int16
            error_message: String | None = None
            active_producers: list[ProducerState]

            class ProducerState(Struct):
                producer_id: ProducerId
                producer_epoch: Int32
                last_sequence: Int32 = -1
                """-1 if none was written yet."""
                last_timestamp: Int64 = -1
                """Of the last batch; -1 if none was written yet."""
                coordinator_epoch: Int32
                """Of the last marker; -1 if none was written yet."""
                current_txn_start_offset: Int64 = -1
                """-1 if none is open."""
