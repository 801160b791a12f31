"""Join, stay in and leave a consumer group of the KIP-848 protocol: members call it.

The coordinator computes the target assignment and hands out pieces of it in the answers, as soon as
their former owners have let go. Epoch 0 joins, -1 leaves, -2 leaves but keeps a static place.
A field left null or -1 means "as last time"; a heartbeat that carries timeout, subscription and
owned partitions is a full one and gets the assignment again.

Version 1 adds the regular expression evaluated by the server, and lets the client make up its own
member id (KIP-1082).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import GroupId, Int16, Int32, String, TopicName, Uuid


class ConsumerGroupHeartbeatRequest(
    Request, key=68, versions="0-1", flexible="0+", listeners=("broker",)
):
    """Keeps a member in its group, with what it subscribes to and owns."""

    group_id: GroupId
    member_id: String
    """Made up by the client from version 1 on; before, empty on joining."""
    member_epoch: Int32
    """0 joins, -1 leaves, -2 leaves a static place for later; else as answered."""
    instance_id: String | None = None
    """Null for dynamic members, or as last time."""
    rack_id: String | None = None
    """Null: as last time."""
    rebalance_timeout_ms: Int32 = -1
    """How long giving up partitions may take; -1: as last time."""
    subscribed_topic_names: list[TopicName] | None = None
    """Null: as last time."""
    subscribed_topic_regex: String | None = at("1+", default=None)
    """RE2 syntax, evaluated by the server. Null: as last time."""
    server_assignor: String | None = None
    """Null: as last time, or whichever the group has."""
    topic_partitions: list[TopicPartitions] | None = None
    """What the member owns at this moment. Null: as last time."""

    class TopicPartitions(Struct):
        topic_id: Uuid
        partitions: list[Int32]


class ConsumerGroupHeartbeatResponse(Response, key=68, versions="0-1", flexible="0+"):
    """Answers with the member's epoch and, if changed, what to own."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None = None
    member_id: String | None = None
    """Filled in on joining."""
    member_epoch: Int32
    """To be sent with the next heartbeat, and with commits."""
    heartbeat_interval_ms: Int32
    """When to call again; the server decides."""
    assignment: Assignment | None = None
    """Null: nothing changed. Empty: own nothing."""

    class Assignment(Struct):
        topic_partitions: list[ConsumerGroupHeartbeatResponse.TopicPartitions]

    class TopicPartitions(Struct):
        topic_id: Uuid
        partitions: list[Int32]
