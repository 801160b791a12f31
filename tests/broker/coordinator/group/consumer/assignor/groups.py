"""Groups for assignors, in a few words: topics are single letters."""

from __future__ import annotations

from collections.abc import Mapping

from moldau.broker.coordinator.group.consumer.assignor.spec import Assignment, GroupSpec, MemberSpec


def topic(letter: str) -> bytes:
    return letter.encode() * 16


def member(topics: str, instance_id: str | None = None, **owned: tuple[int, ...]) -> MemberSpec:
    assignment = {topic(letter): partitions for letter, partitions in owned.items()}
    return MemberSpec(tuple(map(topic, topics)), assignment, instance_id)


def group(counts: Mapping[str, int], mixed: bool = False, **members: MemberSpec) -> GroupSpec:
    return GroupSpec(members, {topic(letter): count for letter, count in counts.items()}, not mixed)


def by_letters(assignments: Mapping[str, Assignment]) -> dict[str, dict[str, list[int]]]:
    """By letters, sorted, to compare with."""
    return {
        member_id: {
            topic_id[:1].decode(): sorted(partitions) for topic_id, partitions in given.items()
        }
        for member_id, given in assignments.items()
    }
