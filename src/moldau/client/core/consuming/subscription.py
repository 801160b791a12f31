"""What a consumer reads by the will of its user: topics, a pattern, or partitions; or nothing yet.

subscribe(…), assign(…), clear()     what was asked for, or a refusal with the remedy
look_is_due(now)                     the topics have to be looked for anew
commit_is_due(now)                   what was consumed is committed by itself
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from moldau.client.core.cluster import Topic
from moldau.client.core.consuming.group_state import GroupState
from moldau.client.errors import InvalidArgumentError
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition

__all__ = ["Subscription"]


class Subscription:
    """Of one consumer; its topics are in the state that it shares with its membership."""

    def __init__(self, settings: ConsumerSettings, state: GroupState, now_ms: int) -> None:
        self.is_manual = False
        """Partitions were assigned to it by hand."""
        self.pattern: re.Pattern[str] | None = None
        self._settings = settings
        self._state = state
        self._looked_ms = 0
        self._committed_ms = now_ms

    def __repr__(self) -> str:
        what = "by hand" if self.is_manual else self.pattern or sorted(self._state.topics)
        return f"<Subscription: {what}>"

    @property
    def group(self) -> str:
        """Its name, or a refusal where there is none."""
        if self._settings.group_id is None:
            raise InvalidArgumentError(
                "this consumer has no group: give it one by group_id=, or assign partitions to it"
            )
        return self._settings.group_id

    @property
    def commits_by_itself(self) -> bool:
        return self._settings.group_id is not None and self._settings.enable_auto_commit

    def subscribe(
        self, topics: Iterable[str], pattern: re.Pattern[str] | None, server_pattern: str | None
    ) -> None:
        if self.is_manual:
            raise InvalidArgumentError(
                "this consumer was assigned partitions: unsubscribe before it subscribes to topics"
            )
        if server_pattern is not None and not self._settings.is_epoch_protocol:
            raise InvalidArgumentError(
                "patterns of the server need group.protocol=consumer: give a re.compile() instead"
            )
        self.pattern = pattern
        self._state.topics, self._state.server_pattern = frozenset(topics), server_pattern

    def assign(self, parts: Collection[TopicPartition], *, is_member: bool) -> None:
        if is_member:
            raise InvalidArgumentError(
                "this consumer subscribes to topics: unsubscribe before it is assigned partitions"
            )
        self.is_manual = bool(parts)

    def clear(self) -> None:
        self.is_manual, self.pattern = False, None
        self._state.topics, self._state.server_pattern = frozenset(), None

    def ensure_reads(self) -> None:
        """Who reads nothing would wait for ever."""
        subscribed = self._state.topics or self._state.server_pattern or self.pattern
        if not self.is_manual and not subscribed:
            raise InvalidArgumentError(
                "this consumer reads nothing: subscribe it to topics, or assign partitions to it"
            )

    def take_matches(self, found: Iterable[Topic]) -> None:
        """Of all topics those that the pattern matches as a whole; internal ones never."""
        assert self.pattern is not None, "topics that are named are not looked for"
        match = self.pattern.fullmatch
        names = [one.name for one in found if not one.is_internal and match(one.name)]
        self._state.topics = frozenset(names)

    def look_is_due(self, now_ms: int) -> bool:
        """Topics that match a pattern may have come, and partitions may have been added."""
        is_old = now_ms - self._looked_ms >= self._settings.metadata_max_age_ms
        return is_old and bool(self._state.topics or self.pattern is not None)

    def looks(self, now_ms: int) -> None:
        """The look begins."""
        self._looked_ms = now_ms

    def commit_is_due(self, now_ms: int) -> bool:
        """Asked with each poll; where it is, the next interval begins."""
        interval_ms = self._settings.auto_commit_interval_ms
        if not self.commits_by_itself or now_ms - self._committed_ms < interval_ms:
            return False
        self._committed_ms = now_ms
        return True
