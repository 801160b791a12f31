"""Members leave, or are taken out: what remains of them goes, and the group gets another epoch.

Its other members find a new target with their next heartbeats. If only classic members are left,
the group becomes a classic one again, as far as the migration policy allows.

Timers of a member are named after what it has to do in time:

    session      send a heartbeat
    revocation   let go of partitions (it has a whole rebalance timeout)
    rejoin       classic: join again after it was called back
    sync         classic: ask for its assignment after it has joined
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from moldau.broker.coordinator.group.consumer.context import ConsumerContext
from moldau.broker.coordinator.group.consumer.downgrade import Downgrade
from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.consumer.member import ConsumerMember
from moldau.broker.coordinator.group.consumer.records import (
    group_record,
    member_tombstones,
    pattern_tombstone,
)
from moldau.broker.coordinator.group.consumer.subscriptions import patterns_read, topics_read
from moldau.broker.coordinator.shard import NOTHING, Decision, StoredRecord

TIMERS = ("session", "revocation", "rejoin", "sync")


class Fencing:
    """Takes members out of the groups of a shard."""

    def __init__(self, context: ConsumerContext, downgrade: Downgrade) -> None:
        self._context = context
        self._downgrade = downgrade

    def remove(
        self, group: ConsumerGroup, leaving: Sequence[ConsumerMember], now_ms: int
    ) -> list[StoredRecord]:
        """The records that take them out."""
        if not leaving:
            return []
        for member in leaving:
            self.cancel_timers(group.group_id, member.member_id)
        gone = {member.member_id for member in leaving}
        staying = [one for one in group.members.values() if one.member_id not in gone]
        if self._downgrade.is_due(staying):
            return self._downgrade.records(group, staying, now_ms, rebalances=True)
        records = [
            record
            for member in leaving
            for record in member_tombstones(group.group_id, member.member_id)
        ]
        read = patterns_read(staying)
        unread = {member.pattern for member in leaving if member.pattern} - read.keys()
        records += [pattern_tombstone(group.group_id, pattern) for pattern in sorted(unread)]
        resolved = {text: one for text, one in group.resolved.items() if text not in unread}
        metadata_hash = self._context.hash_of(topics_read(staying, resolved))
        records.append(group_record(group.group_id, group.epoch + 1, metadata_hash))
        return records

    # Timers.

    def touch_session(self, group_id: str, member_id: str, timeout_ms: int, now_ms: int) -> None:
        """The member sent a request: its session begins anew."""
        self.watch("session", group_id, member_id, timeout_ms, now_ms)

    def watch(self, what: str, group_id: str, member_id: str, timeout_ms: int, now_ms: int) -> None:
        """Take the member out unless the timer is set anew or cancelled in time."""
        fence = partial(self._fence, group_id, member_id)
        timers = self._context.groups.timers
        timers.schedule((what, group_id, member_id), now_ms + timeout_ms, fence)

    def cancel_timers(self, group_id: str, member_id: str, timers: Iterable[str] = TIMERS) -> None:
        for what in timers:
            self._context.groups.timers.cancel((what, group_id, member_id))

    def fence_late(self, group_id: str, member_id: str, epoch: int, now_ms: int) -> Decision:
        """The member had this epoch when it had to revoke partitions."""
        group = self._context.group(group_id)
        if group is None or member_id not in group.members:
            return NOTHING
        if group.members[member_id].epoch != epoch:
            return NOTHING
        return self._fence(group_id, member_id, now_ms)

    def _fence(self, group_id: str, member_id: str, now_ms: int) -> Decision:
        group = self._context.group(group_id)
        if group is None or member_id not in group.members:
            return NOTHING
        return Decision(self.remove(group, [group.members[member_id]], now_ms))
