"""Patterns that members read are looked up in the topics, again whenever there are others.

A lookup goes over all topics, so it is not part of a heartbeat: it is due at once, but decided on
its own, and at most every ten seconds for each group. It looks up all patterns of the group, so
that what they mean is of the same moment. It is wanted when a pattern is new, when topics have come
into being, and when the last one was long ago.

A member sees only topics that it may describe; that is asked for the member that caused the lookup.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from moldau.broker.coordinator.group.consumer.context import ConsumerContext
from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.consumer.member_change import MemberChange
from moldau.broker.coordinator.group.consumer.patterns import Pattern, parse_pattern
from moldau.broker.coordinator.group.consumer.records import group_record, pattern_record
from moldau.broker.coordinator.group.consumer.subscriptions import (
    ResolvedPattern,
    patterns_read,
    topics_read,
)
from moldau.broker.coordinator.shard import NOTHING, Decision, RequestContext, StoredRecord
from moldau.errors import KafkaError

LOOKUP_INTERVAL_MS = 10_000
"""Kafka's own: a member that changes its pattern all the time must not cost more."""
REFRESH_INTERVAL_MS = 2**31 - 1


class Lookups:
    """Looks patterns up, for all groups of a shard."""

    def __init__(self, context: ConsumerContext) -> None:
        self._context = context

    def want(self, change: MemberChange, asking: RequestContext, is_new: bool) -> None:
        """Let a lookup be next if one is due; `is_new`: the member has a pattern no other has."""
        group, now_ms = change.group, change.now_ms
        if not is_new and not group.pattern_readers:
            return
        timers, name = self._context.groups.timers, ("patterns", group.group_id)
        last = next(iter(group.resolved.values()), None)
        if name in timers or (last and now_ms <= last.resolved_at_ms + LOOKUP_INTERVAL_MS):
            return
        read = set(patterns_read(change.members().values()))
        if read and (is_new or self._is_stale(group, last, read, now_ms)):
            lookup = partial(self._lookup, group.group_id, asking)
            timers.schedule(name, now_ms, partial(lookup, read))

    def _is_stale(
        self, group: ConsumerGroup, last: ResolvedPattern | None, read: set[str], now_ms: int
    ) -> bool:
        if last is None or len(read) != len(group.resolved):
            return True
        interval_ms = self._context.settings.group_consumer_regex_refresh_interval_ms
        return (
            last.image_offset < self._context.topics_created_at
            or now_ms > last.resolved_at_ms + interval_ms
        )

    def _lookup(
        self, group_id: str, asking: RequestContext, patterns: set[str], now_ms: int
    ) -> Decision:
        group = self._context.group(group_id)
        if group is None:
            return NOTHING
        found = self._found(patterns, asking, now_ms)
        return Decision(self._records(group, found, now_ms))

    def _found(
        self, patterns: Iterable[str], asking: RequestContext, now_ms: int
    ) -> dict[str, ResolvedPattern]:
        image = self._context.image
        may_describe = self._context.groups.context.may_describe
        found = {}
        for text in sorted(patterns):
            pattern = _parsed(text)
            topics = frozenset(
                name
                for name in image.topics.by_name
                if pattern is not None and pattern.matches(name)
                if may_describe(asking.correlation, name)
            )
            found[text] = ResolvedPattern(topics, image.offset, now_ms)
        return found

    def _records(
        self, group: ConsumerGroup, found: dict[str, ResolvedPattern], now_ms: int
    ) -> list[StoredRecord]:
        found = {pattern: one for pattern, one in found.items() if pattern in group.pattern_readers}
        records = [pattern_record(group.group_id, *one) for one in found.items()]
        has_changed = any(
            one.topics != group.resolved.get(pattern, ResolvedPattern()).topics
            for pattern, one in found.items()
        )
        topics = topics_read(group.members.values(), {**group.resolved, **found})
        metadata_hash = self._context.hash_of(topics)
        if has_changed or metadata_hash != group.metadata_hash:
            epoch = group.epoch + 1
            records.append(group_record(group.group_id, epoch, metadata_hash))
            group.refreshed(now_ms + REFRESH_INTERVAL_MS, epoch)
        return records


def _parsed(text: str) -> Pattern | None:
    """A pattern that other brokers took and we do not understand matches nothing."""
    try:
        return parse_pattern(text)
    except KafkaError:
        return None
