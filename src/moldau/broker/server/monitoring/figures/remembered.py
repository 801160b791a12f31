"""What one reading of the metrics leaves for the next, as long as it is still so.

Which partitions there are, and who should have them, changes seldom; pages are made every few
seconds. So the partitions are put in order and named again only when others are there, and a topic
is counted again only when the metadata has another state of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from moldau.broker.metadata.topics import NO_LEADER, PartitionState, Topics, TopicState
from moldau.broker.metrics.column import LastingPlaces
from moldau.broker.replica.partition import Partition

__all__ = ["COUNTS", "InOrder", "Remembered", "TopicCounts"]

COUNTS = (
    "GlobalPartitionCount",
    "OfflinePartitionsCount",
    "PreferredReplicaImbalanceCount",
    "PartitionCount",
    "LeaderCount",
    "UnderReplicatedPartitions",
    "ReassigningPartitions",
)
TOPICS_PER_PIECE = 20
"""With ten partitions each, 0.2 ms of work."""
Name = tuple[str, int]


class InOrder:
    """Partitions by name, and the values of their labels."""

    def __init__(self, given: Sequence[Partition] = ()) -> None:
        self._given = list(given)
        self.partitions = sorted(given, key=lambda one: one.name)
        self.places = LastingPlaces((one.topic, str(one.index)) for one in self.partitions)

    def __repr__(self) -> str:
        return f"InOrder({len(self.partitions)} partitions)"

    def of(self, given: list[Partition]) -> InOrder:
        """This one, if they are the same ones; a page that is being made may hold it."""
        return self if given == self._given else InOrder(given)


class TopicCounts:
    """One topic: numbers in the order of `COUNTS`, and which partitions belong here."""

    __slots__ = ("assigned", "numbers", "topic")

    def __init__(self, topic: TopicState, node_id: int) -> None:
        self.topic = topic
        here, led, offline, imbalanced, under, moving = [], 0, 0, 0, 0, 0
        for index, one in topic.partitions.items():
            if node_id in one.replicas:
                here.append((topic.name, index))
            offline += one.leader == NO_LEADER
            imbalanced += one.leader != one.replicas[0]
            if one.leader == node_id:
                led += 1
                under += len(one.isr) < len(one.replicas)
                moving += _is_moving(one)
        self.assigned = tuple(here)
        count = len(topic.partitions)
        self.numbers = (count, offline, imbalanced, len(here), led, under, moving)

    def __repr__(self) -> str:
        return f"TopicCounts({self.topic.name}, {dict(zip(COUNTS, self.numbers, strict=True))})"


class Remembered:
    """Of one node."""

    def __init__(self, node_id: int) -> None:
        self.counts = dict.fromkeys(COUNTS, 0)
        """How many partitions this broker has, and how many there are in all."""
        self.assigned: frozenset[Name] = frozenset()
        """Those that belong here."""
        self.shown = InOrder()
        self.led_shown = InOrder()
        self._node_id = node_id
        self._topics = Topics()
        self._by_id: dict[bytes, TopicCounts] = {}

    def __repr__(self) -> str:
        return f"Remembered({len(self._by_id)} topics)"

    def count(self, topics: Topics) -> Iterator[None]:
        """In pieces; of what is as it was, nothing."""
        if topics is self._topics:
            return
        found: dict[bytes, TopicCounts] = {}
        for number, topic in enumerate(list(topics.by_id.values()), 1):
            known = self._by_id.get(topic.topic_id)
            is_known = known is not None and known.topic is topic
            found[topic.topic_id] = (
                known if known is not None and is_known else TopicCounts(topic, self._node_id)
            )
            if number % TOPICS_PER_PIECE == 0:
                yield
        sums = map(sum, zip(*(one.numbers for one in found.values()), strict=True))
        self.counts = dict.fromkeys(COUNTS, 0) | dict(zip(COUNTS, sums, strict=False))
        self.assigned = frozenset(chain.from_iterable(one.assigned for one in found.values()))
        self._topics, self._by_id = topics, found


def _is_moving(state: PartitionState) -> bool:
    return bool(state.adding_replicas or state.removing_replicas)
