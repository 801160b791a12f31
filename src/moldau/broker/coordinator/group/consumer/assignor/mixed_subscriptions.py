"""`uniform` for members that read different topics.

Each member first keeps what it may. What is free goes, topic by topic, to the topic's readers who
have least: topics with many partitions for each reader come first, because they leave the least
choice. Then topics are balanced one after the other, from readers with most to those with least,
until a round changes nothing. With readers whose topics overlap in chains this comes close to
balance without reaching it, so the rounds are limited.
"""

from __future__ import annotations

from collections.abc import Iterable
from struct import Struct

from moldau.broker.coordinator.group.consumer.assignor.balancer import Balancer
from moldau.broker.coordinator.group.consumer.assignor.spec import Assignment, GroupSpec
from moldau.broker.coordinator.group.java_order import JavaSet, int_hash, presized_table

ROUNDS_MAX = 16
"""Each about halves what is out of balance."""
UNASSIGNED = -1
_SIGNED_HALVES = Struct(">qq")

Sets = dict[bytes, JavaSet[int]]


def assign_mixed(spec: GroupSpec) -> dict[str, Assignment]:
    """The assignment of every member."""
    return _Mixed(spec).assign()


class _Mixed:
    """One run; members are indexes into `_member_ids`."""

    def __init__(self, spec: GroupSpec) -> None:
        self._spec = spec
        self._member_ids = spec.member_ids()
        self._readers: dict[bytes, list[int]] = {}
        for index, member_id in enumerate(self._member_ids):
            for topic_id in spec.members[member_id].topic_ids:
                self._readers.setdefault(topic_id, []).append(index)
        self._owners = {
            topic_id: [UNASSIGNED] * spec.partition_counts[topic_id] for topic_id in self._readers
        }
        self._sizes = [0] * len(self._member_ids)
        self._sets: list[Sets] = []

    def assign(self) -> dict[str, Assignment]:
        if not self._readers:
            return {}
        for index, member_id in enumerate(self._member_ids):
            self._sets.append(self._kept(index, member_id))
        self._give_out()
        self._balance(topic_id for topic_id, readers in self._readers.items() if len(readers) > 1)
        return {
            member_id: {topic_id: tuple(ones) for topic_id, ones in sets.items()}
            for member_id, sets in zip(self._member_ids, self._sets, strict=True)
        }

    def _kept(self, index: int, member_id: str) -> Sets:
        member = self._spec.members[member_id]
        sets: Sets = {}
        for topic_id, partitions in member.assignment.items():
            if topic_id in member.topic_ids:
                sets[topic_id] = JavaSet.copied(int_hash, partitions)
                self._sizes[index] += len(partitions)
                for partition in partitions:
                    self._owners[topic_id][partition] = index
        return sets

    def _give_out(self) -> None:
        free = {
            topic_id: [one for one, owner in enumerate(owners) if owner == UNASSIGNED]
            for topic_id, owners in self._owners.items()
        }
        for topic_id in self._sorted(topic_id for topic_id, ones in free.items() if ones):
            balancer = Balancer(self._sizes, self._readers[topic_id])
            for partition in free[topic_id]:
                self._move(topic_id, partition, balancer.next_least())

    def _balance(self, topic_ids: Iterable[bytes]) -> None:
        """Go round the topics until nothing has changed since the last one that did."""
        ordered = self._sorted(topic_ids)
        last_changed = None
        for _ in range(ROUNDS_MAX):
            for topic_id in ordered:
                if topic_id == last_changed:
                    return
                if self._balance_topic(topic_id) or last_changed is None:
                    last_changed = topic_id

    def _balance_topic(self, topic_id: bytes) -> bool:
        """Move this topic's partitions from who has most to who has least; whether any moved."""
        balancer = Balancer(self._sizes, self._readers[topic_id])
        if balancer.imbalance <= 1:
            return False
        owned: dict[int, list[int]] = {}
        for partition, owner in enumerate(self._owners[topic_id]):
            owned.setdefault(owner, []).append(partition)
        has_moved = False
        while True:
            giver = balancer.next_most()
            while giver is not None and not owned.get(giver):
                balancer.exclude_most()
                giver = balancer.next_most()
            if giver is None:
                return has_moved
            partition = owned[giver].pop()
            taker = balancer.next_least()
            if balancer.is_balanced:
                return has_moved
            self._move(topic_id, partition, taker)
            has_moved = True

    def _move(self, topic_id: bytes, partition: int, taker: int) -> None:
        owner = self._owners[topic_id][partition]
        if owner != UNASSIGNED:
            self._take(topic_id, partition, owner)
        if topic_id not in self._sets[taker]:
            self._sets[taker][topic_id] = self._empty_set(topic_id)
        self._sets[taker][topic_id].add(partition)
        self._owners[topic_id][partition] = taker
        self._sizes[taker] += 1

    def _take(self, topic_id: bytes, partition: int, owner: int) -> None:
        owned = self._sets[owner][topic_id]
        owned.remove(partition)
        if not owned:
            del self._sets[owner][topic_id]
        self._sizes[owner] -= 1

    def _empty_set(self, topic_id: bytes) -> JavaSet[int]:
        """Made for as many partitions as each reader of the topic is likely to get."""
        share = -(-self._spec.partition_counts[topic_id] // len(self._readers[topic_id]))
        return JavaSet(int_hash, table_size=presized_table(share))

    def _sorted(self, topic_ids: Iterable[bytes]) -> list[bytes]:
        """Those with most partitions for each reader first, then those with fewest readers."""

        def order(topic_id: bytes) -> tuple[float, int, tuple[int, ...]]:
            reader_count = len(self._readers[topic_id])
            share = self._spec.partition_counts[topic_id] / reader_count
            return -share, reader_count, _SIGNED_HALVES.unpack(topic_id)

        return sorted(topic_ids, key=order)
