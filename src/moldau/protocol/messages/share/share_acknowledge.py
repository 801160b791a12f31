"""Settle acquired records without fetching more; called by share consumers (KIP-932).

The partition's leader answers once the share coordinator has stored the new states. Uses the
session that ShareFetch opened; epoch -1 closes it, and what is still acquired is released.

Version 2 adds renewal of locks (KIP-1222). Version 0 was a preview and is gone.
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
    String,
    Uuid,
)


class ShareAcknowledgeRequest(
    Request, key=79, versions="1-2", flexible="1+", listeners=("broker",)
):
    """Acknowledges acquired records: accepted, released or rejected."""

    group_id: GroupId | None = None
    member_id: String | None
    share_session_epoch: Int32
    """One more than last time; -1 closes the session. Cannot open one."""
    is_renew_ack: Bool = at("2+", default=False)
    """Some of the types below are 4."""
    topics: list[AcknowledgeTopic]

    class AcknowledgeTopic(Struct):
        topic_id: Uuid = at(map_key=True)
        partitions: list[AcknowledgePartition]

        class AcknowledgePartition(Struct):
            partition_index: Int32 = at(map_key=True)
            acknowledgement_batches: list[AcknowledgementBatch]

            class AcknowledgementBatch(Struct):
                """How the processing of a range of records went."""

                first_offset: Int64
                last_offset: Int64
                """Inclusive."""
                acknowledge_types: list[Int8]
                """One, or one per record: accept 1, release 2, reject 3, renew 4; 0 is a gap."""


class ShareAcknowledgeResponse(Response, key=79, versions="1-2", flexible="1+"):
    """Answers for each partition, with the new leader where it moved."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None = None
    acquisition_lock_timeout_ms: Int32 = at("2+", ignorable=True)
    """How long renewed locks last."""
    responses: list[ShareAcknowledgeTopicResponse]
    node_endpoints: list[NodeEndpoint]

    class ShareAcknowledgeTopicResponse(Struct):
        topic_id: Uuid = at(map_key=True)
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition_index: Int32
            error_code: Int16
            error_message: String | None = None
            current_leader: LeaderIdAndEpoch

            class LeaderIdAndEpoch(Struct):
                """The current leader; sent with NOT_LEADER_OR_FOLLOWER."""

                leader_id: Int32
                leader_epoch: Int32

    class NodeEndpoint(Struct):
        """Address of a leader named above."""

        node_id: BrokerId = at(map_key=True)
        host: String
        port: Int32
        rack: String | None = None
