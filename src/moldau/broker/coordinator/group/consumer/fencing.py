"""Members leave, or are taken out: what remains of them goes, and the group gets another epoch.

Its other members find a new target with their next heartbeats. If only classic members are left,
the group becomes a classic one again, as far as the migration policy allows.

Beside the timers that every kind of groups has (`member_timers`), a classic member has two:

    rejoin       join again after the answer REBALANCE_IN_PROGRESS
    sync         ask for its assignment after it has joined
"""

from __future__ import annotations

from collections.abc import Sequence

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
from moldau.broker.coordinator.group.member_timers import REVOCATION, SESSION, MemberTimers
from moldau.broker.coordinator.shard import StoredRecord

TIMERS = (SESSION, REVOCATION, "rejoin", "sync")


class Fencing:
    """Takes members out of the groups of a shard."""

    def __init__(self, context: ConsumerContext, downgrade: Downgrade) -> None:
        self._context = context
        self._downgrade = downgrade
        self.timers = MemberTimers(context.groups, ConsumerGroup, self._remove_one)

    def remove(
        self, group: ConsumerGroup, leaving: Sequence[ConsumerMember], now_ms: int
    ) -> list[StoredRecord]:
        """The records that take them out."""
        if not leaving:
            return []
        for member in leaving:
            self.timers.cancel(group.group_id, member.member_id, TIMERS)
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

    def _remove_one(self, group: ConsumerGroup, member_id: str, now_ms: int) -> list[StoredRecord]:
        return self.remove(group, [group.members[member_id]], now_ms)
