"""The partitions of a transaction, in the order in which Kafka writes them.

Kafka keeps them in a Java `HashSet` and writes them as that yields them, grouped by topic in the
order of a `HashMap`. Readers ignore it, but records can be compared byte by byte where the order is
kept. A table is made anew for each addition, with room for what was there before, and then grows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.log.producers.java_hash_map import TABLE_SIZE_MIN, in_map_order, table_size
from moldau.platform.java_hash import java_hash

INT_MASK = 0xFFFFFFFF
HASH_MULTIPLIER = 31


def _hash_of(one: TopicPartition) -> int:
    """`TopicPartition.hashCode`, without a sign."""
    number = HASH_MULTIPLIER * (HASH_MULTIPLIER + one.partition) + java_hash(one.topic)
    return number & INT_MASK


def _size_of_copy(entries: int) -> int:
    """Slots of a set that is made as a copy of one with so many entries."""
    wanted = max(entries * 4 // 3 + 1, TABLE_SIZE_MIN)
    return 1 << (wanted - 1).bit_length()


class PartitionSet:
    """Immutable."""

    __slots__ = ("_members", "in_order")

    def __init__(self, in_order: Iterable[TopicPartition] = ()) -> None:
        self.in_order = tuple(in_order)
        self._members = frozenset(self.in_order)

    @classmethod
    def of(cls, partitions: Iterable[TopicPartition]) -> PartitionSet:
        """As a fresh set has them, to which they were added one by one."""
        distinct = tuple(dict.fromkeys(partitions))
        return cls(in_map_order(distinct, _hash_of, table_size(len(distinct))))

    def __repr__(self) -> str:
        return f"PartitionSet({', '.join(map(str, self.in_order))})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PartitionSet) and self._members == other._members

    def __hash__(self) -> int:
        return hash(self._members)

    def __len__(self) -> int:
        return len(self.in_order)

    def __iter__(self) -> Iterator[TopicPartition]:
        return iter(self.in_order)

    def __contains__(self, one: object) -> bool:
        return one in self._members

    def with_all(self, added: PartitionSet) -> PartitionSet:
        """These and those."""
        together = (*self.in_order, *(one for one in added if one not in self._members))
        slots = table_size(len(together), _size_of_copy(len(self.in_order)))
        return PartitionSet(in_map_order(together, _hash_of, slots))

    def without(self, done: Iterable[TopicPartition]) -> PartitionSet:
        """These but for those."""
        gone = frozenset(done)
        return PartitionSet(one for one in self.in_order if one not in gone)

    def by_topic(self) -> list[tuple[str, list[int]]]:
        """Each topic with its indexes."""
        topics: dict[str, list[int]] = {}
        for topic, index in self.in_order:
            topics.setdefault(topic, []).append(index)
        names = in_map_order(topics, _name_hash, table_size(len(topics)))
        return [(name, topics[name]) for name in names]


def _name_hash(name: str) -> int:
    return java_hash(name) & INT_MASK


NO_PARTITIONS = PartitionSet()
