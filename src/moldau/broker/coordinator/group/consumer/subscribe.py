"""What a changed subscription means for the group: records, and perhaps another group epoch.

Names count at once: other names are another group epoch. A pattern has to be looked up in the
topics first, which is decided on its own, directly afterwards (`lookups`). Until then the member
reads what its names say, and the group goes on as it is, unless the pattern is already known from
another member.

The group epoch rises also if the topics themselves have changed, which their hash shows. It is
looked at when something about members has changed, or after a change of metadata.
"""

from __future__ import annotations

from enum import Enum, auto

from moldau.broker.coordinator.group.consumer.context import ConsumerContext
from moldau.broker.coordinator.group.consumer.lookups import Lookups
from moldau.broker.coordinator.group.consumer.member_change import MemberChange
from moldau.broker.coordinator.group.consumer.patterns import parse_pattern
from moldau.broker.coordinator.group.consumer.records import (
    group_record,
    member_record,
    old_metadata_tombstone,
    pattern_tombstone,
)
from moldau.broker.coordinator.group.consumer.subscriptions import topics_read
from moldau.broker.coordinator.shard import RequestContext

REFRESH_INTERVAL_MS = 2**31 - 1
"""Kafka's own: as good as never, for changes of metadata are noticed."""


class PatternChange(Enum):
    """What has become of a member's pattern."""

    NONE = auto()
    UNRESOLVED = auto()
    """Another one, whose topics are not known yet."""
    RESOLVED = auto()
    """Another one whose topics are known, or none any more."""


class Subscriptions:
    """Takes note of what members subscribe to."""

    def __init__(self, context: ConsumerContext, lookups: Lookups) -> None:
        self._context = context
        self._lookups = lookups

    def note(
        self, change: MemberChange, asking: RequestContext, *, waits_for_lookup: bool = True
    ) -> None:
        """Write down the member as it is now, and the group's next epoch if there is one."""
        group = change.group
        if change.member != change.before:
            change.records.append(member_record(group.group_id, change.member))
        has_other_names = change.member.topic_names != change.before.topic_names
        found = self._note_pattern(change, asking)
        change.epoch, change.assignment_epoch = group.epoch, group.assignment_epoch
        change.has_new_topics = has_other_names or found is not PatternChange.NONE
        counts = found is PatternChange.RESOLVED or (
            found is PatternChange.UNRESOLVED and not waits_for_lookup
        )
        if has_other_names or counts or group.needs_refresh(change.now_ms):
            self._look_at_topics(change, must_bump=has_other_names or counts)

    def _note_pattern(self, change: MemberChange, asking: RequestContext) -> PatternChange:
        group, old, new = change.group, change.before.pattern, change.member.pattern
        found, is_new = PatternChange.NONE, False
        if change.before.topic_pattern != change.member.topic_pattern:
            readers = group.pattern_readers
            found = PatternChange.UNRESOLVED
            if old is not None and readers[old] == 1:
                change.records.append(pattern_tombstone(group.group_id, old))
            if new is not None and not readers[new]:
                parse_pattern(new)
                is_new = True
            elif new in group.resolved or (new is None and old is not None):
                found = PatternChange.RESOLVED
        self._lookups.want(change, asking, is_new)
        return found

    def _look_at_topics(self, change: MemberChange, *, must_bump: bool) -> None:
        group = change.group
        topics = topics_read(change.members().values(), change.resolved())
        metadata_hash = self._context.hash_of(topics)
        if must_bump or metadata_hash != group.metadata_hash:
            change.epoch = group.epoch + 1
            change.records.append(group_record(group.group_id, change.epoch, metadata_hash))
        group.refreshed(change.now_ms + REFRESH_INTERVAL_MS, change.epoch)
        if group.has_old_metadata:
            change.records.append(old_metadata_tombstone(group.group_id))
