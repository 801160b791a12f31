"""What a consumer reads by the will of its user: topics, a pattern, or partitions; or nothing yet.

subscribe(…), assign(…), clear()     what was asked for, or a refusal with the remedy
look_is_due(now)                     the topics have to be looked for anew
idle_ms(now)                         how long they have not
commit_is_due(now)                   what was consumed is committed by itself
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable

from moldau.client.core.cluster import Topic
from moldau.client.core.consuming.group_state import GroupState
from moldau.client.errors import InvalidArgumentError
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition

__all__ = ["Subscription"]

IDLE_MS_MIN = 100
"""An interval of nothing would keep a poll without records busy."""


class Subscription:
    """Of one consumer; its topics are in the state that it shares with its membership."""

    def __init__(self, settings: ConsumerSettings, state: GroupState, now_ms: int) -> None:
        self.is_manual = False
        """Partitions were assigned to it by hand."""
        self.pattern: re.Pattern[str] | None = None
        self._settings = settings
        self._state = state
        self._looked_ms = -math.inf
        self._lacks_topics = False
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
        self.pattern, self._looked_ms = pattern, -math.inf
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
        """Topics may have come, and partitions may have been added."""
        return now_ms >= self._next_look_ms

    def idle_ms(self, now_ms: int) -> float:
        """A poll that waits longer than that would hold up the next look."""
        return max(self._next_look_ms - now_ms, IDLE_MS_MIN)

    def looks(self, now_ms: int) -> None:
        """The look begins."""
        self._looked_ms = now_ms

    def lack(self, absent: Collection[str]) -> None:
        """After a look: of these topics nothing is known. Where one is ours, it is looked for soon
        again, as by Java's consumer: programs may start before those that create their topics."""
        self._lacks_topics = not self._state.topics.isdisjoint(absent)

    @property
    def _next_look_ms(self) -> float:
        if not self._state.topics and self.pattern is None:
            return math.inf
        settings = self._settings
        lacks = self._lacks_topics
        wait_ms = settings.retry_backoff_max_ms if lacks else settings.metadata_max_age_ms
        return self._looked_ms + wait_ms

    def commit_is_due(self, now_ms: int) -> bool:
        """Asked with each poll; where it is, the next interval begins."""
        interval_ms = self._settings.auto_commit_interval_ms
        if not self.commits_by_itself or now_ms - self._committed_ms < interval_ms:
            return False
        self._committed_ms = now_ms
        return True
