"""Add a voter to the quorum; called by admin clients, and by controllers that join by themselves.

The leader answers; a broker forwards to it. Needs kraft.version 1 (KIP-853), and one change at a
time: the new voter must have caught up before the voter set is written.

Version 1 lets the caller be answered before the change is committed (KIP-1186).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, Int16, Int32, String, UInt16, Uuid


class AddRaftVoterRequest(
    Request, key=80, versions="0-1", flexible="0+", listeners=("controller", "broker")
):
    """Asks that a controller become a voter."""

    cluster_id: String | None
    """Another cluster's id is refused; null is not checked."""
    timeout_ms: Int32
    voter_id: Int32
    voter_directory_id: Uuid
    """The disk that votes: another disk is another voter."""
    listeners: list[Listener]
    """The controller's own, for the other voters."""
    ack_when_committed: Bool = at("1+", default=True)
    """False answers once the leader has appended the change."""

    class Listener(Struct):
        name: String = at(map_key=True)
        host: String
        port: UInt16


class AddRaftVoterResponse(Response, key=80, versions="0-1", flexible="0+"):
    """Answers whether it is one."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None = at(ignorable=True)
