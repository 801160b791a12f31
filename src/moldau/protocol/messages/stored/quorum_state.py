"""The file `quorum-state` beside the metadata log: one line of JSON, never these bytes.

Every member of the quorum rewrites it, synced, before it answers anything that depends on it: it
must not vote twice in an epoch. The JSON adds `data_version`.

Version 0 goes with kraft.version 0 and holds the static voters; 1 goes with kraft.version 1 and
drops them, and the cluster id, for the voted directory (KIP-853).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Data, Struct
from moldau.protocol.wire.types import Int32, Int64, String, Uuid


class QuorumStateData(Data, versions="0-1", flexible="0+"):
    """Records epoch, leader and vote of one member of the quorum."""

    cluster_id: String = at("-0")
    leader_id: Int32 = -1
    """-1 if not known."""
    leader_epoch: Int32 = -1
    voted_id: Int32 = -1
    """-1: has not voted in this epoch."""
    voted_directory_id: Uuid = at("1+")
    """All zero: has not voted in this epoch, or for a voter without one."""
    applied_offset: Int64 = at("-0")
    """Always 0; kept for readers of old."""
    current_voters: list[Voter] | None = at("-0")
    """Voters as configured."""

    class Voter(Struct):
        voter_id: Int32
