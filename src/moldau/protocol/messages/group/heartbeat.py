"""Stay in a classic group; called by every member several times per session timeout.

The coordinator answers REBALANCE_IN_PROGRESS to call the members back to JoinGroup.

Versions: 3 static membership (KIP-345), 4 flexible.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response
from moldau.protocol.wire.types import GroupId, Int16, Int32, String


class HeartbeatRequest(Request, key=12, versions="0-4", flexible="4+", listeners=("broker",)):
    """Keeps a member of this generation in its group."""

    group_id: GroupId
    generation_id: Int32
    member_id: String
    group_instance_id: String | None = at("3+", default=None)
    """Null for dynamic members."""


class HeartbeatResponse(Response, key=12, versions="0-4", flexible="4+"):
    """Answers whether the member may stay as it is."""

    throttle_time_ms: Int32 = at("1+", ignorable=True)
    error_code: Int16
