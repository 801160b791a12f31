"""Leave a classic group, or have members removed; called by closing consumers and by admin clients.

A static member does not call it on close: it wants its place kept until the session times out.

Versions: 3 several members at once, by member id or instance id (KIP-345), 4 flexible,
5 reason (KIP-800).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import GroupId, Int16, Int32, String


class LeaveGroupRequest(Request, key=13, versions="0-5", flexible="4+", listeners=("broker",)):
    """Asks to remove members from the group at once."""

    group_id: GroupId
    member_id: String = at("-2")
    """The only member, up to version 2."""
    members: list[MemberIdentity] = at("3+")

    class MemberIdentity(Struct):
        member_id: String
        """May be empty when the instance id is given."""
        group_instance_id: String | None = None
        """Null for dynamic members."""
        reason: String | None = at("5+", default=None, ignorable=True)
        """For people who read logs."""


class LeaveGroupResponse(Response, key=13, versions="0-5", flexible="4+"):
    """Answers for each member removed."""

    throttle_time_ms: Int32 = at("1+", ignorable=True)
    error_code: Int16
    members: list[MemberResponse] = at("3+")

    class MemberResponse(Struct):
        member_id: String
        group_instance_id: String | None
        error_code: Int16
