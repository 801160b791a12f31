"""Delivery states of share partitions in `__share_group_state`, key types 0 and 1 (KIP-932).

Written by share coordinators. A snapshot holds everything, the updates after it what changed; after
five hundred updates a new snapshot follows. The topic is not compacted: the coordinator deletes
records below the oldest snapshot still needed. A null snapshot ends the share partition's state.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import CoordinatorKey, CoordinatorValue, Struct
from moldau.protocol.wire.types import Int8, Int16, Int32, Int64, String, Uuid


class ShareSnapshotKey(CoordinatorKey, key=0, versions="0"):
    """Names a share partition."""

    group_id: String
    topic_id: Uuid
    partition: Int32


class ShareSnapshotValue(CoordinatorValue, key=0, versions="0", flexible="0+"):
    """Records the whole state of a share partition."""

    snapshot_epoch: Int32
    """One more with each snapshot; its updates repeat it."""
    state_epoch: Int32
    """Made higher by each alteration of offsets."""
    leader_epoch: Int32
    start_offset: Int64
    """All below is settled; -1 if never set."""
    delivery_complete_count: Int32 = at(default=-1, tag=0)
    """Records settled beyond the start offset; -1 if not known."""
    create_timestamp: Int64
    """When the state was first made."""
    write_timestamp: Int64
    state_batches: list[StateBatch]

    class StateBatch(Struct):
        """A range of records in one state."""

        first_offset: Int64
        last_offset: Int64
        """Inclusive."""
        delivery_state: Int8
        """0 available, 2 acknowledged, 4 archived; locks are not stored."""
        delivery_count: Int16
        """How often the records were handed out."""


class ShareUpdateKey(CoordinatorKey, key=1, versions="0"):
    """Names a share partition."""

    group_id: String
    topic_id: Uuid
    partition: Int32


class ShareUpdateValue(CoordinatorValue, key=1, versions="0", flexible="0+"):
    """Records what changed since the snapshot."""

    snapshot_epoch: Int32
    """Of the snapshot it belongs to."""
    leader_epoch: Int32
    start_offset: Int64
    """-1: as before."""
    delivery_complete_count: Int32 = at(default=-1, tag=0)
    """Records settled beyond the start offset; -1 if not known."""
    state_batches: list[StateBatch]
    """Only what changed."""

    class StateBatch(Struct):
        """A range of records in one state."""

        first_offset: Int64
        last_offset: Int64
        """Inclusive."""
        delivery_state: Int8
        """0 available, 2 acknowledged, 4 archived; locks are not stored."""
        delivery_count: Int16
        """How often the records were handed out."""
