"""How the leader of a classic group shares partitions among its members.

    range               topic by topic: neighbours stay together
    roundrobin          one partition after the other, over all topics
    sticky              as even as it can be, and as much as it can be where it was
    cooperative-sticky  the same; what moves is first given up, and handed on in a second round

Every member must be able to compute what any other would: names and memories are Java's, so a
group may mix clients of all languages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from moldau.client.topic_partition import TopicPartition

__all__ = ["COOPERATIVE", "Assignment", "Member", "assign"]

COOPERATIVE = "cooperative-sticky"
NO_GENERATION = -1


class Member(NamedTuple):
    """A member's subscription."""

    member_id: str
    topics: frozenset[str]
    owned: tuple[TopicPartition, ...] = ()
    generation: int = NO_GENERATION
    instance_id: str | None = None


Assignment: TypeAlias = dict[str, list[TopicPartition]]
"""By member id."""


def assign(name: str, members: Iterable[Member], counts: Mapping[str, int]) -> Assignment:
    """Share the partitions of these topics; topics that are not there have no count."""
    ranked = sorted(members, key=_rank)
    found = _ASSIGNORS[name](ranked, counts)
    if name == COOPERATIVE:
        found = _only_free(found, ranked)
    return found


def _rank(member: Member) -> tuple[bool, str]:
    """Those with a name of their own first, so that they keep their place."""
    return (member.instance_id is None, member.instance_id or member.member_id)


def _interested(members: list[Member], topic: str) -> list[Member]:
    return [member for member in members if topic in member.topics]


def _range(members: list[Member], counts: Mapping[str, int]) -> Assignment:
    found: Assignment = {member.member_id: [] for member in members}
    for topic in sorted(counts):
        wanting = _interested(members, topic)
        first = 0
        for index, member in enumerate(wanting):
            share = counts[topic] // len(wanting) + (index < counts[topic] % len(wanting))
            numbers = range(first, first + share)
            found[member.member_id] += [TopicPartition(topic, number) for number in numbers]
            first += share
    return found


def _round_robin(members: list[Member], counts: Mapping[str, int]) -> Assignment:
    found: Assignment = {member.member_id: [] for member in members}
    turn = 0
    for part in _all(counts):
        if not _interested(members, part.topic):
            continue
        while part.topic not in members[turn % len(members)].topics:
            turn += 1
        found[members[turn % len(members)].member_id].append(part)
        turn += 1
    return found


def _sticky(members: list[Member], counts: Mapping[str, int]) -> Assignment:
    """Keep what is owned as far as that is fair, then the rest to members that have least."""
    found = _kept(members, counts)
    taken = {part for parts in found.values() for part in parts}
    free = [part for part in _all(counts) if part not in taken]
    for part in free:
        wanting = _interested(members, part.topic)
        if wanting:
            least = min(wanting, key=lambda member: len(found[member.member_id]))
            found[least.member_id].append(part)
    _even_out(members, found)
    return found


def _kept(members: list[Member], counts: Mapping[str, int]) -> Assignment:
    """What its members own, each partition once: by its owner in the latest generation."""
    owners: dict[TopicPartition, Member] = {}
    for member in members:
        for part in member.owned:
            there = part.partition < counts.get(part.topic, 0)
            before = owners.get(part)
            is_later = before is None or member.generation > before.generation
            if there and part.topic in member.topics and is_later:
                owners[part] = member
    found: Assignment = {member.member_id: [] for member in members}
    for part in sorted(owners):
        found[owners[part].member_id].append(part)
    return found


def _even_out(members: list[Member], found: Assignment) -> None:
    """Move one at a time from who has most to who has at least two less and may have it."""
    moved = True
    while moved:
        moved = False
        by_count = sorted(members, key=lambda member: len(found[member.member_id]))
        for rich in reversed(by_count):
            for poor in by_count:
                more = len(found[rich.member_id]) - len(found[poor.member_id])
                if more <= 1:
                    break
                part = _movable(found[rich.member_id], poor)
                if part is not None:
                    found[rich.member_id].remove(part)
                    found[poor.member_id].append(part)
                    moved = True
                    break
            if moved:
                break


def _movable(parts: list[TopicPartition], member: Member) -> TopicPartition | None:
    return next((part for part in reversed(parts) if part.topic in member.topics), None)


def _only_free(found: Assignment, members: list[Member]) -> Assignment:
    """Without what another member owns still: it is handed on when that has let go."""
    owners: dict[TopicPartition, str] = {}
    latest: dict[TopicPartition, int] = defaultdict(lambda: NO_GENERATION - 1)
    for member in members:
        for part in member.owned:
            if member.generation > latest[part]:
                owners[part], latest[part] = member.member_id, member.generation
    return {
        name: [part for part in parts if owners.get(part, name) == name]
        for name, parts in found.items()
    }


def _all(counts: Mapping[str, int]) -> list[TopicPartition]:
    return [
        TopicPartition(topic, number) for topic in sorted(counts) for number in range(counts[topic])
    ]


_ASSIGNORS: Mapping[str, Callable[[list[Member], Mapping[str, int]], Assignment]] = {
    "range": _range,
    "roundrobin": _round_robin,
    "sticky": _sticky,
    COOPERATIVE: _sticky,
}
