"""Which topics to look at when a broker comes or goes: none of the others is touched.

A cluster of 1,000 brokers and 100,000 partitions has 300 replicas on each broker. Without an index
a broker that is fenced costs a look at every partition there is, and a failure of many brokers as
many looks.

The index names topics, not partitions: that takes a fraction of the memory, and topics are looked
through in no time. It only grows as partitions change; a topic that has no reason to be there any
more is dropped when it is looked at. It is volatile, made when it is first needed, and holds
nothing that the metadata do not have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from moldau.broker.metadata.topics import NO_LEADER, PartitionState, Topics, TopicsDelta, TopicState

__all__ = ["Place", "ReplicaIndex"]

Place: TypeAlias = tuple[TopicState, int, PartitionState]
"""A partition, its index, and its topic."""
TopicIds: TypeAlias = dict[bytes, None]
"""In the order in which they came, which is the same in every run."""


class ReplicaIndex:
    """Which partitions have a replica on which broker, as the controller has the topics now."""

    def __init__(self, topics: Topics) -> None:
        self._topics = topics
        self._on_broker: dict[int, TopicIds] | None = None
        self._eligible: dict[int, TopicIds] = {}
        self._leaderless: TopicIds = {}
        self._moved: TopicIds = {}
        """A partition of the topic is led by another than its preferred replica."""

    def __repr__(self) -> str:
        known = "not needed yet" if self._on_broker is None else f"{len(self._on_broker)} brokers"
        return f"ReplicaIndex({known})"

    def follow(self, delta: TopicsDelta, topics: Topics) -> None:
        """The topics have changed."""
        self._topics = topics
        if self._on_broker is not None:
            for topic_id, index in sorted(delta.changed_partitions):
                self._add(topic_id, topics.by_id[topic_id].partitions[index])

    def on_broker(self, broker_id: int) -> Iterator[Place]:
        """Partitions with a replica there."""
        topic_ids = self._known().get(broker_id, {})
        return self._look(topic_ids, lambda state: broker_id in state.replicas)

    def eligible(self, broker_id: int) -> Iterator[Place]:
        """Partitions that count it eligible (KIP-966), as a replica or, after a move, as none."""
        self._known()
        topic_ids = self._eligible.get(broker_id, {})
        return self._look(topic_ids, lambda state: broker_id in state.eligible_leader_replicas)

    def leaderless(self) -> Iterator[Place]:
        """Partitions without a leader."""
        self._known()
        return self._look(self._leaderless, lambda state: state.leader == NO_LEADER)

    def moved(self) -> Iterator[Place]:
        """Partitions that another leads than the preferred replica, or none."""
        self._known()
        return self._look(self._moved, lambda state: state.leader != state.replicas[0])

    def _known(self) -> dict[int, TopicIds]:
        if self._on_broker is None:
            self._on_broker = {}
            for topic_id, topic in self._topics.by_id.items():
                for state in topic.partitions.values():
                    self._add(topic_id, state)
        return self._on_broker

    def _add(self, topic_id: bytes, state: PartitionState) -> None:
        assert self._on_broker is not None
        for broker_id in state.replicas:
            self._on_broker.setdefault(broker_id, {})[topic_id] = None
        for broker_id in state.eligible_leader_replicas:
            self._eligible.setdefault(broker_id, {})[topic_id] = None
        if state.leader == NO_LEADER:
            self._leaderless[topic_id] = None
        if state.leader != state.replicas[0]:
            self._moved[topic_id] = None

    def _look(
        self, topic_ids: TopicIds, belongs: Callable[[PartitionState], bool]
    ) -> Iterator[Place]:
        for topic_id in list(topic_ids):
            found = _parts(self._topics.by_id.get(topic_id), belongs)
            if not found:
                del topic_ids[topic_id]
            yield from found


def _parts(topic: TopicState | None, belongs: Callable[[PartitionState], bool]) -> list[Place]:
    if topic is None:
        return []
    return [(topic, index, state) for index, state in topic.partitions.items() if belongs(state)]
