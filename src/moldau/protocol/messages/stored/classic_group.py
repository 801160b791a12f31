"""Classic groups in `__consumer_offsets`, key type 2, written by group coordinators.

One record holds the whole group and is written when a generation is complete, so that only stable
and empty groups survive a move of the coordinator; also when a static member is replaced. A null
value deletes the group.

Value versions: 1 rebalance timeout, 2 time of the last change of state, 3 instance ids (KIP-345;
what Kafka writes today), 4 flexible.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import CoordinatorKey, CoordinatorValue, Struct
from moldau.protocol.wire.types import Bytes, Int32, Int64, String


class GroupMetadataKey(CoordinatorKey, key=2, versions="0"):
    """Names a classic group."""

    group: String


class GroupMetadataValue(CoordinatorValue, key=2, versions="0-4", flexible="4+"):
    """Records a classic group's generation with its members."""

    protocol_type: String
    """`consumer` for consumers; empty for groups that only commit."""
    generation: Int32
    protocol: String | None
    """The chosen assignor; null while the group is empty."""
    leader: String | None
    """Member id; null while the group is empty."""
    current_state_timestamp: Int64 = at("2+", default=-1, ignorable=True)
    """Offsets expire counted from it once the group is empty."""
    members: list[MemberMetadata]

    class MemberMetadata(Struct):
        member_id: String
        group_instance_id: String | None = at("3+", default=None, ignorable=True)
        """Null for dynamic members."""
        client_id: String
        client_host: String
        rebalance_timeout: Int32 = at("1+", default=-1, ignorable=True)
        """Milliseconds; -1 in old records: the session timeout."""
        session_timeout: Int32
        """Milliseconds."""
        subscription: Bytes
        """What JoinGroup brought for the chosen assignor."""
        assignment: Bytes
        """What the leader's SyncGroup brought."""
