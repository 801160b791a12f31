"""`uniform` for members that all read the same topics.

Each member's quota is the same but for the remainder, which goes to members one by one. First every
member keeps what it has up to its quota; a member that has less than the larger quota leaves the
extra one to those after it, as long as there are enough of them to take all extra ones. Then what
is free goes to those who have less than their quota, in their order.
"""

from __future__ import annotations

from typing import NamedTuple

from moldau.broker.coordinator.group.consumer.assignor.spec import (
    Assignment,
    GroupSpec,
    subscribed_ids,
)
from moldau.broker.coordinator.group.java_order import JavaSet, id_hash, int_hash

Sets = dict[bytes, JavaSet[int]]


class _Lack(NamedTuple):
    """A member that may get so many partitions more."""

    member_id: str
    partitions: int


def assign_equal(spec: GroupSpec) -> dict[str, Assignment]:
    """The assignment of every member."""
    member_ids = spec.member_ids()
    topics = subscribed_ids(spec.members[member_ids[0]])
    if not topics:
        return {}
    return _Equal(spec, member_ids, topics).assign()


class _Equal:
    """One assignment, while it is worked out."""

    def __init__(self, spec: GroupSpec, member_ids: list[str], topics: JavaSet[bytes]) -> None:
        self._spec = spec
        self._member_ids = member_ids
        self._topics = topics
        counts = spec.partition_counts
        total = sum(counts[topic_id] for topic_id in topics)
        self._quota, self._extra_count = divmod(total, len(member_ids))
        self._free = self._unassigned()
        self._lacking: list[_Lack] = []
        self._assignments: dict[str, Assignment] = {}

    def assign(self) -> dict[str, Assignment]:
        for index, member_id in enumerate(self._member_ids):
            self._keep(member_id, len(self._member_ids) - index)
        self._give_out()
        return self._assignments

    def _unassigned(self) -> list[tuple[bytes, int]]:
        owned = {
            (topic_id, partition)
            for member in self._spec.members.values()
            for topic_id, partitions in member.assignment.items()
            for partition in partitions
        }
        return [
            (topic_id, partition)
            for topic_id in self._topics
            for partition in range(self._spec.partition_counts[topic_id])
            if (topic_id, partition) not in owned
        ]

    def _keep(self, member_id: str, members_left: int) -> None:
        """Let the member keep what fits into its quota, and note what it may get."""
        has_extra = self._extra_count > 0
        room = self._quota + has_extra
        before = self._spec.members[member_id].assignment
        kept = {}
        for topic_id in JavaSet(id_hash, before):
            if topic_id not in self._topics:
                continue
            partitions = before[topic_id]
            kept[topic_id] = partitions[:room]
            self._free += [(topic_id, partition) for partition in partitions[room:]]
            room -= len(kept[topic_id])
        if room > 0 and has_extra and members_left > self._extra_count:
            room -= 1
            has_extra = False
        if room > 0:
            self._lacking.append(_Lack(member_id, room))
        self._extra_count -= has_extra
        self._assignments[member_id] = {
            topic_id: partitions for topic_id, partitions in kept.items() if partitions
        }

    def _give_out(self) -> None:
        free = iter(self._free)
        for member_id, count in self._lacking:
            before = self._assignments[member_id]
            sets: Sets = {
                topic_id: JavaSet.copied(int_hash, partitions)
                for topic_id, partitions in before.items()
            }
            for _, (topic_id, partition) in zip(range(count), free, strict=False):
                sets.setdefault(topic_id, JavaSet(int_hash)).add(partition)
            self._assignments[member_id] = {
                topic_id: tuple(partitions) for topic_id, partitions in sets.items()
            }
        assert next(free, None) is None, "the quotas of all members make up all partitions"
