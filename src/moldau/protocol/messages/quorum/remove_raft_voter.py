"""Remove a voter from the quorum; called by admin clients (KIP-853).

The leader answers; a broker forwards to it. It may remove itself: it then resigns as soon as the
change is committed.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response
from moldau.protocol.wire.types import Int16, Int32, String, Uuid


class RemoveRaftVoterRequest(
    Request, key=81, versions="0", flexible="0+", listeners=("controller", "broker")
):
    """Asks that a controller be a voter no more."""

    cluster_id: String | None
    """Another cluster's id is refused; null is not checked."""
    voter_id: Int32
    voter_directory_id: Uuid
    """Must match: the id alone names no voter."""


class RemoveRaftVoterResponse(Response, key=81, versions="0", flexible="0+"):
    """Answers whether it is removed."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None = at(ignorable=True)
