"""What the members of a group read: names, patterns, and what patterns were found to mean.

A group is homogeneous when all members read the same: the same names and no pattern, or the same
one pattern and no names. Assignors have a simpler way for such groups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from moldau.broker.coordinator.group.consumer.member import ConsumerMember
from moldau.broker.coordinator.group.java_order import JavaSet, text_hash
from moldau.broker.metadata.image import Image
from moldau.platform.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ResolvedPattern:
    """The topics that a regular expression matched, and when that was looked up."""

    topics: frozenset[str] = frozenset()
    image_offset: int = 0
    """Of the metadata that it was looked up in."""
    resolved_at_ms: int = 0


Resolved = Mapping[str, ResolvedPattern]
Members = Collection[ConsumerMember]


def patterns_read(members: Iterable[ConsumerMember]) -> Counter[str]:
    """Patterns, and how many members have each."""
    return Counter(member.pattern for member in members if member.pattern is not None)


def topics_read(members: Members, resolved: Resolved) -> set[str]:
    """The names of all topics that are read, whether they exist or not."""
    names = {name for member in members for name in member.topic_names}
    return names.union(*(one.topics for one in resolved.values()))


def is_homogeneous(members: Members, resolved: Resolved) -> bool:
    """Whether all members read the same."""
    names = Counter(name for member in members for name in member.topic_names)
    matched = Counter(name for one in resolved.values() for name in one.topics)
    patterns = patterns_read(members)
    if not patterns:
        return not matched and all(count == len(members) for count in names.values())
    first = next(iter(patterns.values()))
    if first != len(members):
        return False
    return not names and all(count == 1 for count in matched.values())


def names_read_by(member: ConsumerMember, resolved: Resolved) -> list[str]:
    """The topics of one member, in Java's order."""
    names = JavaSet.copied(text_hash, member.topic_names)
    matched = resolved.get(member.pattern) if member.pattern is not None else None
    if matched is None:
        return list(names)
    others = JavaSet.copied(text_hash, sorted(matched.topics))
    return [*names, *(name for name in others if name not in names)]


def ids_of(names: Iterable[str], image: Image) -> list[bytes]:
    """The ids of those that exist, in the same order."""
    by_name = image.topics.by_name
    return [by_name[name].topic_id for name in names if name in by_name]


def preferred_assignor(members: Members, default: str) -> str:
    """The assignor that most members ask for; the default where none does."""
    votes = Counter(member.assignor for member in members if member.assignor is not None)
    names = JavaSet(text_hash, votes)
    return max(names, key=lambda name: votes[name]) if names else default
