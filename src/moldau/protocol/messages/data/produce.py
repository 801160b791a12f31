"""Append record batches; called by every producer, answered by the partition's leader.

Each partition brings exactly one batch of format 2. `acks` decides when the answer leaves: 0 never
(an error closes the connection instead), 1 after the leader's append, -1 after the high watermark
has passed it or the timeout has.

Versions: 3 format 2 and transactions, 5 log start offset, 7 zstd, 8 errors per record (KIP-467),
9 flexible, 10 the new leader and its address beside NOT_LEADER_OR_FOLLOWER (KIP-951),
11 TRANSACTION_ABORTABLE, 12 the broker itself adds the partition to the transaction (KIP-890, so
clients of older clusters stay at 11), 13 topic ids instead of names (KIP-516).
ApiVersions on a broker listener still advertises 0 as the lowest: old librdkafka gives up without.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import (
    BrokerId,
    Int16,
    Int32,
    Int64,
    Records,
    String,
    TopicName,
    TransactionalId,
    Uuid,
)


class ProduceRequest(Request, key=0, versions="3-13", flexible="9+", listeners=("broker",)):
    """Asks the leader to append one batch to each partition named."""

    transactional_id: TransactionalId | None = None
    """Null unless the batches are transactional; authorised by this name."""
    acks: Int16
    """0 none, 1 the leader, -1 all in-sync replicas; nothing else is allowed."""
    timeout_ms: Int32
    """How long `acks` of -1 may wait for the replicas."""
    topic_data: list[TopicProduceData]

    class TopicProduceData(Struct):
        name: TopicName = at("-12", ignorable=True, map_key=True)
        topic_id: Uuid = at("13+", ignorable=True, map_key=True)
        partition_data: list[PartitionProduceData]

        class PartitionProduceData(Struct):
            index: Int32
            records: Records | None
            """Exactly one batch, of format 2."""


class ProduceResponse(Response, key=0, versions="3-13", flexible="9+"):
    """Answers with the offset each batch got, or why it was refused."""

    responses: list[TopicProduceResponse]
    throttle_time_ms: Int32 = at(default=0, ignorable=True)
    node_endpoints: list[NodeEndpoint] = at("10+", tag=0)

    class TopicProduceResponse(Struct):
        name: TopicName = at("-12", ignorable=True, map_key=True)
        topic_id: Uuid = at("13+", ignorable=True, map_key=True)
        partition_responses: list[PartitionProduceResponse]

        class PartitionProduceResponse(Struct):
            index: Int32
            error_code: Int16
            base_offset: Int64
            """Offset of the batch's first record; -1 on an error."""
            log_append_time_ms: Int64 = at(default=-1, ignorable=True)
            """-1 unless the topic stamps records itself."""
            log_start_offset: Int64 = at("5+", default=-1, ignorable=True)
            """Distinguishes lost state from a gap in the producer's sequences."""
            record_errors: list[BatchIndexAndErrorMessage] = at("8+", ignorable=True)
            """What is wrong with single records; the batch failed as a whole."""
            error_message: String | None = at("8+", default=None, ignorable=True)
            current_leader: LeaderIdAndEpoch = at("10+", tag=0)
            """Filled in beside NOT_LEADER_OR_FOLLOWER only."""

            class BatchIndexAndErrorMessage(Struct):
                """A record that made its whole batch fail."""

                batch_index: Int32
                """The record's place in its batch."""
                batch_index_error_message: String | None = None

            class LeaderIdAndEpoch(Struct):
                """Who leads now, so that the client need not ask for metadata."""

                leader_id: BrokerId = -1
                leader_epoch: Int32 = -1

    class NodeEndpoint(Struct):
        """Address of a leader named above."""

        node_id: BrokerId = at(map_key=True)
        host: String
        port: Int32
        rack: String | None = None
