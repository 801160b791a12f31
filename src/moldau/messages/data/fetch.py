"""Read record batches; called by consumers, followers, and observers and voters of the quorum.

The request waits until `min_bytes` are there or `max_wait_ms` is over. With a session (KIP-227)
only what changed is sent, both ways. The first non-empty partition may exceed every size limit by
one batch, so that a reader always advances. Controllers answer it too, for the metadata log.

Versions: 4 isolation level and format 2, 5 log start, 7 sessions, 9 leader epoch check (KIP-320),
10 zstd, 11 follower reads by rack (KIP-392), 12 flexible, divergence found from the epoch last
fetched, quorum fields as tags, 13 topic ids (KIP-516), 14 OFFSET_MOVED_TO_TIERED_STORAGE (KIP-405),
15 replica epoch (KIP-903), 16 new leader's address (KIP-951), 17 directory id (KIP-853),
18 the follower's high watermark (KIP-1166), which only the quorum's leader acts on.
"""

from __future__ import annotations

from moldau.wire.declaration import at
from moldau.wire.schema import Request, Response, Struct
from moldau.wire.types import (
    BrokerId,
    Int8,
    Int16,
    Int32,
    Int64,
    ProducerId,
    Records,
    String,
    TopicName,
    Uuid,
)


class FetchRequest(
    Request, key=1, versions="4-18", flexible="12+", listeners=("broker", "controller")
):
    """Asks for records from an offset onward in each partition named."""

    cluster_id: String | None = at("12+", default=None, tag=0, ignorable=True)
    replica_id: BrokerId = at("-14", default=-1)
    replica_state: ReplicaState = at("15+", tag=1)
    max_wait_ms: Int32
    min_bytes: Int32
    max_bytes: Int32 = at(default=0x7FFFFFFF, ignorable=True)
    isolation_level: Int8 = at(default=0, ignorable=True)
    session_id: Int32 = at("7+", default=0, ignorable=True)
    session_epoch: Int32 = at("7+", default=-1, ignorable=True)
    topics: list[FetchTopic]
    forgotten_topics_data: list[ForgottenTopic] = at("7+")
    rack_id: String = at("11+", default="", ignorable=True)

    class ReplicaState(Struct):
        replica_id: BrokerId = -1
        replica_epoch: Int64 = -1

    class FetchTopic(Struct):
        topic: TopicName = at("-12", ignorable=True)
        topic_id: Uuid = at("13+", ignorable=True)
        partitions: list[FetchPartition]

        class FetchPartition(Struct):
            partition: Int32
            current_leader_epoch: Int32 = at("9+", default=-1, ignorable=True)
            fetch_offset: Int64
            last_fetched_epoch: Int32 = at("12+", default=-1)
            log_start_offset: Int64 = at("5+", default=-1, ignorable=True)
            partition_max_bytes: Int32
            replica_directory_id: Uuid = at("17+", tag=0, ignorable=True)
            high_watermark: Int64 = at(
                "18+", default=9_223_372_036_854_775_807, tag=1, ignorable=True
            )

    class ForgottenTopic(Struct):
        topic: TopicName = at("-12", ignorable=True)
        topic_id: Uuid = at("13+", ignorable=True)
        partitions: list[Int32]


class FetchResponse(Response, key=1, versions="4-18", flexible="12+"):
    """Answers with batches, watermarks, and hints about where else to ask."""

    throttle_time_ms: Int32 = at(ignorable=True)
    error_code: Int16 = at("7+", ignorable=True)
    session_id: Int32 = at("7+", default=0)
    responses: list[FetchableTopicResponse]
    node_endpoints: list[NodeEndpoint] = at("16+", tag=0)

    class FetchableTopicResponse(Struct):
        topic: TopicName = at("-12", ignorable=True)
        topic_id: Uuid = at("13+", ignorable=True)
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition_index: Int32
            error_code: Int16
            high_watermark: Int64
            last_stable_offset: Int64 = at(default=-1, ignorable=True)
            log_start_offset: Int64 = at("5+", default=-1, ignorable=True)
            diverging_epoch: EpochEndOffset = at("12+", tag=0)
            current_leader: LeaderIdAndEpoch = at("12+", tag=1)
            snapshot_id: SnapshotId = at("12+", tag=2)
            aborted_transactions: list[AbortedTransaction] | None = at(ignorable=True)
            preferred_read_replica: BrokerId = at("11+", default=-1)
            records: Records | None

            class EpochEndOffset(Struct):
                epoch: Int32 = -1
                end_offset: Int64 = -1

            class LeaderIdAndEpoch(Struct):
                leader_id: BrokerId = -1
                leader_epoch: Int32 = -1

            class SnapshotId(Struct):
                end_offset: Int64 = -1
                epoch: Int32 = -1

            class AbortedTransaction(Struct):
                producer_id: ProducerId
                first_offset: Int64

    class NodeEndpoint(Struct):
        node_id: BrokerId = at(map_key=True)
        host: String
        port: Int32
        rack: String | None = None
