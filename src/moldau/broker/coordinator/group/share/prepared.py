"""For which partitions a share coordinator keeps state for a group, and for which it is asked to.

    asked for ──► there ──► asked to be gone ──► (nothing)

All of it is one record for each group, written anew with every step. What was asked for and not
confirmed is asked for again after a while, and after a change of coordinators at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from moldau.broker.metadata.image import Image
from moldau.platform.quick_dataclass import dataclass

NEVER_MS = -1


@dataclass(frozen=True, slots=True)
class TopicShare:
    """Some partitions of a topic."""

    name: str
    partitions: frozenset[int]
    since_ms: int = NEVER_MS
    """When the state was asked for; not stored."""


Shares = Mapping[bytes, TopicShare]
Partitions = Mapping[bytes, Iterable[int]]


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is known of a group's state."""

    asked: Shares = field(default_factory=dict)
    ready: Shares = field(default_factory=dict)
    leaving: Mapping[bytes, str] = field(default_factory=dict)
    """Topic ids and names whose state is asked to be gone."""

    def asking(self, more: Shares) -> Prepared:
        """With state asked for; what was to leave stays after all."""
        leaving = {
            topic_id: name for topic_id, name in self.leaving.items() if topic_id not in more
        }
        return replace(self, asked=joined(self.asked, more), leaving=leaving)

    def confirmed(self, there: Shares) -> Prepared:
        """With state that is there now."""
        return replace(self, asked=without(self.asked, there), ready=joined(self.ready, there))

    def failed(self, refused: Shares) -> Prepared:
        """Without what could not be made; it will be asked for again."""
        return replace(self, asked=without(self.asked, refused))

    def parting(self, topics: Mapping[bytes, str]) -> Prepared:
        """With topics whose state is asked to be gone."""
        stay = {topic_id: one for topic_id, one in self.ready.items() if topic_id not in topics}
        asked = {topic_id: one for topic_id, one in self.asked.items() if topic_id not in topics}
        return Prepared(asked, stay, {**self.leaving, **topics})

    def parted(self, topic_ids: Iterable[bytes]) -> Prepared:
        """Without topics whose state is gone."""
        gone = set(topic_ids)
        return Prepared(
            _without_topics(self.asked, gone),
            _without_topics(self.ready, gone),
            {topic_id: name for topic_id, name in self.leaving.items() if topic_id not in gone},
        )

    def missing(
        self, topics: Iterable[str], image: Image, now_ms: int, retry_ms: int
    ) -> dict[bytes, TopicShare]:
        """What these topics have and was not requested, or too long ago."""
        pending = {
            topic_id: one
            for topic_id, one in self.asked.items()
            if now_ms - one.since_ms < retry_ms
        }
        known = joined(self.ready, pending)
        missing = {}
        for name in sorted(topics):
            topic = image.topics.by_name.get(name)
            if topic is None:
                continue
            have = known[topic.topic_id].partitions if topic.topic_id in known else frozenset()
            lacks = frozenset(topic.partitions) - have
            if lacks:
                missing[topic.topic_id] = TopicShare(name, lacks, now_ms)
        return missing


def named(partitions: Partitions, image: Image, now_ms: int) -> dict[bytes, TopicShare]:
    """With the names that the topics have; topics that are gone are left out."""
    by_id = image.topics.by_id
    return {
        topic_id: TopicShare(by_id[topic_id].name, frozenset(some), now_ms)
        for topic_id, some in partitions.items()
        if topic_id in by_id
    }


def joined(one: Shares, other: Shares) -> dict[bytes, TopicShare]:
    """Both together; the other is the later word."""
    result = dict(one)
    for topic_id, share in other.items():
        known = one[topic_id].partitions if topic_id in one else frozenset()
        result[topic_id] = replace(share, partitions=known | share.partitions)
    return result


def without(one: Shares, other: Shares) -> dict[bytes, TopicShare]:
    """What is left of the one."""
    left = {}
    for topic_id, share in one.items():
        gone = other[topic_id].partitions if topic_id in other else frozenset()
        if share.partitions - gone:
            left[topic_id] = replace(share, partitions=share.partitions - gone)
    return left


def _without_topics(shares: Shares, gone: set[bytes]) -> dict[bytes, TopicShare]:
    return {topic_id: one for topic_id, one in shares.items() if topic_id not in gone}
