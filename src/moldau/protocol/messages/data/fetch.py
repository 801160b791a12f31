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

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import (
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
    """A replica of the quorum sends it; another cluster's is refused."""
    replica_id: BrokerId = at("-14", default=-1)
    """-1 for consumers, up to version 14."""
    replica_state: ReplicaState = at("15+", tag=1)
    max_wait_ms: Int32
    """How long to wait for `min_bytes`."""
    min_bytes: Int32
    """Below this much the answer waits; 0 never waits."""
    max_bytes: Int32 = at(default=0x7FFFFFFF, ignorable=True)
    """Bound of the whole answer; the first batch may exceed it."""
    isolation_level: Int8 = at(default=0, ignorable=True)
    """0 reads up to the high watermark, 1 up to the last stable offset."""
    session_id: Int32 = at("7+", default=0, ignorable=True)
    """0 for a full fetch."""
    session_epoch: Int32 = at("7+", default=-1, ignorable=True)
    """0 opens a session, -1 closes it or opens none; else one more than last time."""
    topics: list[FetchTopic]
    """In a session: only partitions that are new or changed."""
    forgotten_topics_data: list[ForgottenTopic] = at("7+")
    rack_id: String = at("11+", default="", ignorable=True)
    """The consumer's rack; empty to read from the leader only."""

    class ReplicaState(Struct):
        """Who fetches, when it is a replica."""

        replica_id: BrokerId = -1
        """-1 for consumers."""
        replica_epoch: Int64 = -1
        """Broker epoch of the follower, -1 if it has none."""

    class FetchTopic(Struct):
        topic: TopicName = at("-12", ignorable=True)
        topic_id: Uuid = at("13+", ignorable=True)
        partitions: list[FetchPartition]

        class FetchPartition(Struct):
            partition: Int32
            current_leader_epoch: Int32 = at("9+", default=-1, ignorable=True)
            """Checked against the leader's own; -1 skips the check."""
            fetch_offset: Int64
            last_fetched_epoch: Int32 = at("12+", default=-1)
            """Epoch before `fetch_offset`; the leader finds divergence by it. -1: none."""
            log_start_offset: Int64 = at("5+", default=-1, ignorable=True)
            """The follower's own start; -1 from consumers."""
            partition_max_bytes: Int32
            """Bound of this partition; its first batch may exceed it."""
            replica_directory_id: Uuid = at("17+", tag=0, ignorable=True)
            """Which disk of a voter; all zero from consumers."""
            high_watermark: Int64 = at(
                "18+", default=9_223_372_036_854_775_807, tag=1, ignorable=True
            )
            """The replica's own: -1 is none yet, the default is left out."""

    class ForgottenTopic(Struct):
        """Partitions that leave the session."""

        topic: TopicName = at("-12", ignorable=True)
        topic_id: Uuid = at("13+", ignorable=True)
        partitions: list[Int32]


class FetchResponse(Response, key=1, versions="4-18", flexible="12+"):
    """Answers with batches, watermarks, and hints about where else to ask."""

    throttle_time_ms: Int32 = at(ignorable=True)
    error_code: Int16 = at("7+", ignorable=True)
    session_id: Int32 = at("7+", default=0)
    """The session the next fetch may go on with; 0 if there is none."""
    responses: list[FetchableTopicResponse]
    """In a session: only partitions with something to say."""
    node_endpoints: list[NodeEndpoint] = at("16+", tag=0)

    class FetchableTopicResponse(Struct):
        topic: TopicName = at("-12", ignorable=True)
        topic_id: Uuid = at("13+", ignorable=True)
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition_index: Int32
            error_code: Int16
            high_watermark: Int64
            """-1 on an error."""
            last_stable_offset: Int64 = at(default=-1, ignorable=True)
            """Below it every transaction is decided; -1 if not known."""
            log_start_offset: Int64 = at("5+", default=-1, ignorable=True)
            """-1 if not known."""
            diverging_epoch: EpochEndOffset = at("12+", tag=0)
            """If set there are no records: the follower must truncate first."""
            current_leader: LeaderIdAndEpoch = at("12+", tag=1)
            """Filled in when the partition was asked of the wrong node."""
            snapshot_id: SnapshotId = at("12+", tag=2)
            """If set there are no records: the log no longer reaches so far back."""
            aborted_transactions: list[AbortedTransaction] | None = at(ignorable=True)
            """Null unless committed records alone were asked for."""
            preferred_read_replica: BrokerId = at("11+", default=-1)
            """If not -1 there are no records: ask that replica."""
            records: Records | None
            """Batches: the first may begin too early, the last may be cut short."""

            class EpochEndOffset(Struct):
                """Where the follower's log parts from the leader's."""

                epoch: Int32 = -1
                end_offset: Int64 = -1

            class LeaderIdAndEpoch(Struct):
                """Who leads now, so that the client need not ask for metadata."""

                leader_id: BrokerId = -1
                leader_epoch: Int32 = -1

            class SnapshotId(Struct):
                """The snapshot to read by FetchSnapshot before fetching on."""

                end_offset: Int64 = -1
                epoch: Int32 = -1

            class AbortedTransaction(Struct):
                """A transaction that the consumer must skip itself."""

                producer_id: ProducerId
                first_offset: Int64
                """From here to its abort marker the producer's batches are void."""

    class NodeEndpoint(Struct):
        """Address of a leader named above."""

        node_id: BrokerId = at(map_key=True)
        host: String
        port: Int32
        rack: String | None = None
