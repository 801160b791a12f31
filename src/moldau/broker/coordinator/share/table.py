"""All share partitions of one partition of `__share_group_state`, as its records say."""

from __future__ import annotations

from typing import Any

from moldau.broker.coordinator.shard import StoredRecord
from moldau.broker.coordinator.share.state import ShareKey, ShareState, state_begun_by, state_of
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.stored.share_state import (
    ShareSnapshotKey,
    ShareSnapshotValue,
    ShareUpdateValue,
)


@dataclass(slots=True)
class Kept:
    """One share partition on this shard."""

    state: ShareState
    leader_epoch: int
    """The highest that was ever written."""
    state_epoch: int
    """The same."""
    update_count: int = 0
    """Updates since the last snapshot that was written for their sake."""
    snapshot_offset: int = -1
    """Where its newest snapshot is in the log."""


class ShareTable:
    """What is kept of each; `updates_max` updates make the next record a snapshot."""

    def __init__(self, updates_max: int) -> None:
        self.updates_max = updates_max
        self.kept: dict[ShareKey, Kept] = {}
        self._last_tombstone_offset = -1

    def __repr__(self) -> str:
        return f"ShareTable({len(self.kept)} share partitions)"

    def apply(self, record: StoredRecord, offset: int) -> None:
        """Assign what the record holds."""
        message: Any = record.key
        key = ShareKey(message.group_id, message.topic_id, message.partition)
        if not isinstance(record.key, ShareSnapshotKey):
            if record.value is not None:
                assert isinstance(record.value, ShareUpdateValue)
                self._apply_update(key, record.value)
        elif record.value is None:
            self.kept.pop(key, None)
            self._last_tombstone_offset = offset
        else:
            assert isinstance(record.value, ShareSnapshotValue)
            self._apply_snapshot(key, state_of(record.value), offset)

    def _apply_snapshot(self, key: ShareKey, state: ShareState, offset: int) -> None:
        kept = self.kept.setdefault(key, Kept(state, state.leader_epoch, state.state_epoch))
        kept.state = state
        kept.leader_epoch = max(kept.leader_epoch, state.leader_epoch)
        kept.state_epoch = max(kept.state_epoch, state.state_epoch)
        kept.snapshot_offset = offset
        if kept.update_count >= self.updates_max:
            kept.update_count = 0

    def _apply_update(self, key: ShareKey, update: ShareUpdateValue) -> None:
        kept = self.kept.get(key)
        if kept is None:
            kept = self.kept[key] = Kept(state_begun_by(update), update.leader_epoch, 0)
        else:
            kept.state = kept.state.updated(update)
        kept.leader_epoch = max(kept.leader_epoch, update.leader_epoch)
        kept.update_count += 1

    @property
    def redundant_below(self) -> int:
        """All before this offset is written again later on."""
        if not self.kept:
            return max(0, self._last_tombstone_offset)
        return max(0, min(kept.snapshot_offset for kept in self.kept.values()))
