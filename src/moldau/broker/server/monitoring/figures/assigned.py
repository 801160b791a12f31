"""What the members of a group have of its topics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import lru_cache

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.consumer.embedded import CONSUMER, assignment_in
from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.group import Group
from moldau.broker.coordinator.group.share.group import ShareGroup
from moldau.broker.metadata.image import Image
from moldau.errors import DecodeError
from moldau.platform.quick_dataclass import dataclass

__all__ = ["Assigned"]

REMEMBERED_MAX = 20_000
"""Assignments of classic members that are read once and not for every page."""


@dataclass(slots=True)
class Assigned:
    """Of one group, by topic. Of Kafka Connect's and Kafka Streams' groups nothing is known."""

    empty_members: int = 0
    """Those that have no partition."""
    members: Counter[str] = field(default_factory=Counter)
    partitions: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, group: Group, image: Image) -> Assigned:
        found = cls()
        for topics in _by_member(group, image):
            found.empty_members += not topics
            found.members.update(topics.keys())
            found.partitions.update(topics)
        return found


def _by_member(group: Group, image: Image) -> Iterator[Mapping[str, int]]:
    """The number of partitions of each topic, for one member after the other."""
    if isinstance(group, ClassicGroup):
        if group.protocol_type == CONSUMER:
            for classic in group.members.values():
                yield _in_assignment(classic.assignment)
    elif isinstance(group, ConsumerGroup | ShareGroup):
        by_id = image.topics.by_id
        for member in group.members.values():
            yield {
                by_id[topic_id].name: len(partitions)
                for topic_id, partitions in member.assigned.items()
                if topic_id in by_id and partitions
            }


@lru_cache(maxsize=REMEMBERED_MAX)
def _in_assignment(assignment: bytes) -> Mapping[str, int]:
    """Of an assignment that nothing can be read from: nothing."""
    if not assignment:
        return {}
    try:
        found = assignment_in(assignment).assigned_partitions
    except DecodeError:
        return {}
    return {entry.topic: len(entry.partitions) for entry in found if entry.partitions}
