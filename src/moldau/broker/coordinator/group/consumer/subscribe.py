"""What a changed subscription means for the group: records, and perhaps another group epoch.

Names count at once: other names are another group epoch. A pattern has to be looked up in the
topics first, which is decided on its own, directly afterwards (`lookups`). Until then the member
reads what its names say, and the group goes on as it is, unless the pattern is already known from
another member.

The group epoch rises also if the topics themselves have changed, which their hash tells. It is
looked at when something about members has changed, or after a change of metadata.
"""

from __future__ import annotations

from enum import Enum, auto

from moldau.broker.coordinator.group.consumer.attempt import Attempt
from moldau.broker.coordinator.group.consumer.lookups import Lookups
from moldau.broker.coordinator.group.consumer.patterns import parse_pattern
from moldau.broker.coordinator.group.consumer.records import (
    group_record,
    member_record,
    old_metadata_tombstone,
    pattern_tombstone,
)
from moldau.broker.coordinator.group.consumer.subscriptions import topics_read
from moldau.broker.coordinator.group.consumer.world import ConsumerWorld
from moldau.broker.coordinator.shard import Asking

REFRESH_INTERVAL_MS = 2**31 - 1
"""Kafka's own: as good as never, for changes of metadata are told."""


class PatternChange(Enum):
    """What has become of a member's pattern."""

    NONE = auto()
    UNRESOLVED = auto()
    """Another one, and nobody knows yet what it means."""
    RESOLVED = auto()
    """Another one whose topics are known, or none any more."""


class Subscriptions:
    """Takes note of what members say they want."""

    def __init__(self, world: ConsumerWorld, lookups: Lookups) -> None:
        self._world = world
        self._lookups = lookups

    def note(self, attempt: Attempt, asking: Asking, *, waits_for_lookup: bool = True) -> None:
        """Write down the member as it is now, and the group's next epoch if there is one."""
        group = attempt.group
        if attempt.member != attempt.before:
            attempt.records.append(member_record(group.group_id, attempt.member))
        has_other_names = attempt.member.topic_names != attempt.before.topic_names
        change = self._note_pattern(attempt, asking)
        attempt.epoch, attempt.assignment_epoch = group.epoch, group.assignment_epoch
        attempt.has_new_topics = has_other_names or change is not PatternChange.NONE
        counts = change is PatternChange.RESOLVED or (
            change is PatternChange.UNRESOLVED and not waits_for_lookup
        )
        if has_other_names or counts or group.needs_refresh(attempt.now_ms):
            self._look_at_topics(attempt, must_bump=has_other_names or counts)

    def _note_pattern(self, attempt: Attempt, asking: Asking) -> PatternChange:
        group, old, new = attempt.group, attempt.before.pattern, attempt.member.pattern
        change, is_new = PatternChange.NONE, False
        if attempt.before.topic_pattern != attempt.member.topic_pattern:
            readers = group.pattern_readers
            change = PatternChange.UNRESOLVED
            if old is not None and readers[old] == 1:
                attempt.records.append(pattern_tombstone(group.group_id, old))
            if new is not None and not readers[new]:
                parse_pattern(new)
                is_new = True
            elif new in group.resolved or (new is None and old is not None):
                change = PatternChange.RESOLVED
        self._lookups.want(attempt, asking, is_new)
        return change

    def _look_at_topics(self, attempt: Attempt, *, must_bump: bool) -> None:
        group = attempt.group
        topics = topics_read(attempt.members().values(), attempt.resolved())
        metadata_hash = self._world.hash_of(topics)
        if must_bump or metadata_hash != group.metadata_hash:
            attempt.epoch = group.epoch + 1
            attempt.records.append(group_record(group.group_id, attempt.epoch, metadata_hash))
        group.refreshed(attempt.now_ms + REFRESH_INTERVAL_MS, attempt.epoch)
        if group.has_old_metadata:
            attempt.records.append(old_metadata_tombstone(group.group_id))
