"""Refresh a voter's endpoints and kraft.version range; each voter calls it for itself (KIP-853).

The leader answers, and writes a new voter set if anything changed. Needs no admin.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import BrokerId, Int16, Int32, String, UInt16, Uuid


class UpdateRaftVoterRequest(
    Request, key=82, versions="0", flexible="0+", listeners=("controller",)
):
    """Reports where a voter listens and what it supports."""

    cluster_id: String | None
    """Another cluster's id is refused; null is not checked."""
    current_leader_epoch: Int32
    """Checked against the leader's own; -1 skips the check."""
    voter_id: Int32
    voter_directory_id: Uuid
    """Must match: the id alone names no voter."""
    listeners: list[Listener]
    kraft_version_feature: KRaftVersionFeature

    class Listener(Struct):
        name: String = at(map_key=True)
        host: String
        port: UInt16

    class KRaftVersionFeature(Struct):
        """Levels of kraft.version it could run."""

        min_supported_version: Int16
        max_supported_version: Int16


class UpdateRaftVoterResponse(Response, key=82, versions="0", flexible="0+"):
    """Answers with the leader as known."""

    throttle_time_ms: Int32
    error_code: Int16
    current_leader: CurrentLeader = at(tag=0)

    class CurrentLeader(Struct):
        leader_id: BrokerId = -1
        leader_epoch: Int32 = -1
        host: String
        port: Int32
