"""Collect the assignment of a classic generation; every member calls it right after JoinGroup.

The leader's call brings the assignments; the coordinator stores them in one record and then
answers all members that wait. A member that does not come within the rebalance timeout is removed.

Versions: 3 static membership (KIP-345), 4 flexible, 5 protocol type and name, checked against the
group's (KIP-559: INCONSISTENT_GROUP_PROTOCOL).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bytes, GroupId, Int16, Int32, String


class SyncGroupRequest(Request, key=14, versions="0-5", flexible="4+", listeners=("broker",)):
    """Asks for this member's assignment; the leader brings all of them."""

    group_id: GroupId
    generation_id: Int32
    member_id: String
    group_instance_id: String | None = at("3+", default=None)
    """Null for dynamic members."""
    protocol_type: String | None = at("5+", default=None, ignorable=True)
    """If given, it must be the group's."""
    protocol_name: String | None = at("5+", default=None, ignorable=True)
    """If given, it must be the one JoinGroup answered."""
    assignments: list[SyncGroupRequestAssignment]
    """Empty from all but the leader."""

    class SyncGroupRequestAssignment(Struct):
        member_id: String
        assignment: Bytes


class SyncGroupResponse(Response, key=14, versions="0-5", flexible="4+"):
    """Answers with the member's own assignment, opaque to the broker."""

    throttle_time_ms: Int32 = at("1+", ignorable=True)
    error_code: Int16
    protocol_type: String | None = at("5+", default=None, ignorable=True)
    protocol_name: String | None = at("5+", default=None, ignorable=True)
    assignment: Bytes
    """Opaque to the broker; consumers find a ConsumerProtocolAssignment."""
