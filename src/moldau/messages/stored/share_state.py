"""Delivery states of share partitions in `__share_group_state`, key types 0 and 1 (KIP-932).

Written by share coordinators. A snapshot holds everything, the updates after it what changed; after
five hundred updates a new snapshot follows. The topic is not compacted: the coordinator deletes
records below the oldest snapshot still needed. A null snapshot ends the share partition's state.
"""

from __future__ import annotations

from moldau.wire.declaration import at
from moldau.wire.schema import CoordinatorKey, CoordinatorValue, Struct
from moldau.wire.types import Int8, Int16, Int32, Int64, String, Uuid


class ShareSnapshotKey(CoordinatorKey, key=0, versions="0"):
    """Names a share partition."""

    group_id: String
    topic_id: Uuid
    partition: Int32


class ShareSnapshotValue(CoordinatorValue, key=0, versions="0", flexible="0+"):
    """Records the whole state of a share partition."""

    snapshot_epoch: Int32
    state_epoch: Int32
    leader_epoch: Int32
    start_offset: Int64
    delivery_complete_count: Int32 = at(default=-1, tag=0)
    create_timestamp: Int64
    write_timestamp: Int64
    state_batches: list[StateBatch]

    class StateBatch(Struct):
        first_offset: Int64
        last_offset: Int64
        delivery_state: Int8
        delivery_count: Int16


class ShareUpdateKey(CoordinatorKey, key=1, versions="0"):
    """Names a share partition."""

    group_id: String
    topic_id: Uuid
    partition: Int32


class ShareUpdateValue(CoordinatorValue, key=1, versions="0", flexible="0+"):
    """Records what changed since the snapshot."""

    snapshot_epoch: Int32
    leader_epoch: Int32
    start_offset: Int64
    delivery_complete_count: Int32 = at(default=-1, tag=0)
    state_batches: list[StateBatch]

    class StateBatch(Struct):
        first_offset: Int64
        last_offset: Int64
        delivery_state: Int8
        delivery_count: Int16
