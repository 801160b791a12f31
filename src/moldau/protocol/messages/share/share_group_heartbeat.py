"""Join, stay in and leave a share group; its members call it (KIP-932).

The group coordinator answers. As in consumer groups, epoch 0 joins and -1 leaves, and null means
"as last time"; but several members may own one partition, so nothing is ever revoked in steps, and
the member makes up its own id. Version 0 was a preview and is gone.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import GroupId, Int16, Int32, String, TopicName, Uuid


class ShareGroupHeartbeatRequest(
    Request, key=76, versions="1", flexible="1+", listeners=("broker",)
):
    """Keeps a member in its group, with what it subscribes to."""

    group_id: GroupId
    member_id: String
    """Made up by the client, kept for its whole life."""
    member_epoch: Int32
    """0 joins, -1 leaves; else as answered."""
    rack_id: String | None = None
    """Null: as last time."""
    subscribed_topic_names: list[TopicName] | None = None
    """Null: as last time."""


class ShareGroupHeartbeatResponse(Response, key=76, versions="1", flexible="1+"):
    """Answers with the member's epoch and, if changed, what to fetch."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None = None
    member_id: String | None = None
    member_epoch: Int32
    """To be sent with the next heartbeat."""
    heartbeat_interval_ms: Int32
    """When to call again; the server decides."""
    assignment: Assignment | None = None
    """Null: nothing changed. Empty: fetch nothing."""

    class Assignment(Struct):
        topic_partitions: list[ShareGroupHeartbeatResponse.TopicPartitions]

    class TopicPartitions(Struct):
        topic_id: Uuid
        partitions: list[Int32]
