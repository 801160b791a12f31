"""Join a classic group, or rejoin it in a rebalance; called by consumers and Connect workers.

The coordinator holds the answer until the join phase is over. The leader then gets every member's
metadata and computes the assignment; the others get an empty list.

Versions: 1 rebalance timeout apart from the session's, 4 a new dynamic member first gets its id
with MEMBER_ID_REQUIRED (KIP-394), 5 static membership (KIP-345), 6 flexible, 7 protocol type in
the answer (KIP-559), 8 reason (KIP-800), 9 the leader may have to keep the assignment.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, Bytes, GroupId, Int16, Int32, String


class JoinGroupRequest(Request, key=11, versions="0-9", flexible="6+", listeners=("broker",)):
    """Asks to take part in the group's next generation."""

    group_id: GroupId
    session_timeout_ms: Int32
    """Time without a heartbeat after which the member is removed."""
    rebalance_timeout_ms: Int32 = at("1+", default=-1, ignorable=True)
    """How long a rebalance waits for members; -1: the session timeout."""
    member_id: String
    """Empty on the first call: the coordinator makes it up."""
    group_instance_id: String | None = at("5+", default=None)
    """Null for dynamic members."""
    protocol_type: String
    """`consumer` for consumers, `connect` for Connect workers."""
    protocols: list[JoinGroupRequestProtocol]
    """In order of preference; the group takes one that all have."""
    reason: String | None = at("8+", default=None, ignorable=True)
    """For people who read logs."""

    class JoinGroupRequestProtocol(Struct):
        """An assignor the member can work with."""

        name: String = at(map_key=True)
        metadata: Bytes
        """Opaque to the broker; consumers send a ConsumerProtocolSubscription."""


class JoinGroupResponse(Response, key=11, versions="0-9", flexible="6+"):
    """Answers with the generation, its leader and, to the leader, the members."""

    throttle_time_ms: Int32 = at("2+", ignorable=True)
    error_code: Int16
    generation_id: Int32 = -1
    """-1 on an error."""
    protocol_type: String | None = at("7+", default=None, ignorable=True)
    protocol_name: String | None = at(nullable="7+")
    """The assignor all members have; null if none is chosen."""
    leader: String
    """Member id of the leader; the member that finds its own assigns."""
    skip_assignment: Bool = at("9+", default=False)
    """The leader rejoined and the old assignment stands."""
    member_id: String
    members: list[JoinGroupResponseMember]
    """Empty for all but the leader."""

    class JoinGroupResponseMember(Struct):
        member_id: String
        group_instance_id: String | None = at("5+", default=None, ignorable=True)
        """Null for dynamic members."""
        metadata: Bytes
