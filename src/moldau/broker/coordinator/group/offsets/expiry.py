"""Offsets that are out of use are deleted, and groups that are left with nothing.

From when an offset's retention (`offsets.retention.minutes`) counts is the group's word: since it
became empty, or since the commit where no member reads the topic any more (KIP-211). An offset
with a time of its own goes at that time. What an open transaction may still change stays.
"""

from __future__ import annotations

from moldau.broker.coordinator.group.group import Group
from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.group.offsets.records import NEVER, tombstone
from moldau.broker.coordinator.group.offsets.store import CommittedOffset, Place
from moldau.broker.coordinator.shard import Decision, StoredRecord

MS_PER_MINUTE = 60_000
TIMER = "expiry of offsets"


class OffsetExpiry:
    """Sweeps the offsets of a shard every `offsets.retention.check.interval.ms`."""

    def __init__(self, groups: Groups) -> None:
        self._groups = groups

    def begin(self, now_ms: int) -> None:
        """Set the timer of the next sweep."""
        interval_ms = self._groups.context.settings.offsets_retention_check_interval_ms
        self._groups.timers.schedule(TIMER, now_ms + interval_ms, self.sweep)

    def sweep(self, now_ms: int) -> Decision:
        """Delete what is due; the batches need not be atomic."""
        self.begin(now_ms)
        records: list[StoredRecord] = []
        for group in list(self._groups.by_id.values()):
            records += self._expired(group, now_ms)
        return Decision(records, is_atomic=False)

    def _expired(self, group: Group, now_ms: int) -> list[StoredRecord]:
        group_id, offsets = group.group_id, self._groups.offsets
        committed = offsets.of_group(group_id)
        due = [place for place, one in committed.items() if self._is_due(group, place, one, now_ms)]
        records = [tombstone(group_id, place) for place in due]
        is_bare = len(due) == len(committed) and not offsets.has_any_pending(group_id)
        return records + group.tombstones() if is_bare and group.is_empty else records

    def _is_due(self, group: Group, place: Place, committed: CommittedOffset, now_ms: int) -> bool:
        age = group.offset_age()
        if age is None or group.is_subscribed_to(place.topic):
            return False
        if self._groups.offsets.has_pending(group.group_id, place):
            return False
        if committed.expire_timestamp_ms != NEVER:
            return now_ms >= committed.expire_timestamp_ms
        retention_ms = self._groups.context.settings.offsets_retention_minutes * MS_PER_MINUTE
        return now_ms - age(committed.commit_timestamp_ms) >= retention_ms
