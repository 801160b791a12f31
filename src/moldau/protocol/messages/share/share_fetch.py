"""Take records from share partitions under a lock; called by share consumers (KIP-932).

The partition's leader answers with batches and the ranges in them that this member has acquired:
only those are its to process, until the lock times out. Acknowledgements of earlier records may
ride along. The session is known by member and connection; epoch 0 opens it, -1 closes it.

Version 2 adds acquire modes (KIP-1206) and renewal of locks (KIP-1222: a request that renews may
fetch nothing). Version 0 was a preview and is gone.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import (
    Bool,
    BrokerId,
    GroupId,
    Int8,
    Int16,
    Int32,
    Int64,
    Records,
    String,
    Uuid,
)


class ShareFetchRequest(Request, key=78, versions="1-2", flexible="1+", listeners=("broker",)):
    """Asks for records to process, and settles earlier ones."""

    group_id: GroupId | None = None
    member_id: String | None
    share_session_epoch: Int32
    """0 opens the session, -1 closes it; else one more than last time."""
    max_wait_ms: Int32
    """How long to wait for `min_bytes`."""
    min_bytes: Int32
    max_bytes: Int32 = 0x7FFFFFFF
    """Bound of the whole answer; the first batch may exceed it."""
    max_records: Int32
    """Soft bound of acquired records; in mode 0 a whole batch may exceed it."""
    batch_size: Int32
    """How many records the client would have per acquired range."""
    share_acquire_mode: Int8 = at("2+", default=0, ignorable=True)
    """0 acquires whole batches, 1 keeps strictly to `max_records`."""
    is_renew_ack: Bool = at("2+", default=False)
    """Locks are renewed here, so nothing is to be fetched."""
    topics: list[FetchTopic]
    forgotten_topics_data: list[ForgottenTopic]

    class FetchTopic(Struct):
        topic_id: Uuid = at(map_key=True)
        partitions: list[FetchPartition]

        class FetchPartition(Struct):
            partition_index: Int32 = at(map_key=True)
            acknowledgement_batches: list[AcknowledgementBatch]

            class AcknowledgementBatch(Struct):
                """How the processing of a range of records went."""

                first_offset: Int64
                last_offset: Int64
                """Inclusive."""
                acknowledge_types: list[Int8]
                """One, or one per record: accept 1, release 2, reject 3, renew 4; 0 is a gap."""

    class ForgottenTopic(Struct):
        """Partitions that leave the session."""

        topic_id: Uuid
        partitions: list[Int32]


class ShareFetchResponse(Response, key=78, versions="1-2", flexible="1+"):
    """Answers with batches and the ranges acquired in them."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None = None
    acquisition_lock_timeout_ms: Int32
    """How long the member may hold what it acquired."""
    responses: list[ShareFetchableTopicResponse]
    node_endpoints: list[NodeEndpoint]

    class ShareFetchableTopicResponse(Struct):
        topic_id: Uuid = at(map_key=True)
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition_index: Int32
            error_code: Int16
            """Concerns the fetch; the acknowledgements have their own."""
            error_message: String | None = None
            acknowledge_error_code: Int16
            """Concerns what rode along; the fetch may still have worked."""
            acknowledge_error_message: String | None = None
            current_leader: LeaderIdAndEpoch
            records: Records
            """Batches that contain more than what was acquired."""
            acquired_records: list[AcquiredRecords]

            class LeaderIdAndEpoch(Struct):
                """The current leader; sent with NOT_LEADER_OR_FOLLOWER."""

                leader_id: Int32
                leader_epoch: Int32

            class AcquiredRecords(Struct):
                """A range now locked for this member."""

                first_offset: Int64
                last_offset: Int64
                """Inclusive."""
                delivery_count: Int16
                """1 the first time the records are handed out."""

    class NodeEndpoint(Struct):
        """Address of a leader named above."""

        node_id: BrokerId = at(map_key=True)
        host: String
        port: Int32
        rack: String | None = None
