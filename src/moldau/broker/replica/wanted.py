"""Which partitions the metadata has on this broker, and in which role."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.replica.assignment import Assignment


class Topic(Protocol):
    """A topic of the metadata image."""

    @property
    def name(self) -> str: ...
    @property
    def topic_id(self) -> bytes: ...
    @property
    def partitions(self) -> Mapping[int, Assignment]: ...


class Wanted(NamedTuple):
    """One partition that shall be here."""

    topic_id: bytes
    assignment: Assignment


class WantedPartitions:
    """What `ReplicaManager` is to make true."""

    def __init__(self, node_id: int) -> None:
        self._node_id = node_id
        self._topics: dict[bytes, tuple[str, dict[int, Wanted]]] = {}
        self._ids: dict[str, bytes] = {}

    def __iter__(self) -> Iterator[TopicPartition]:
        for topic in self._ids:
            yield from self.of_topic(topic)

    def get(self, name: TopicPartition) -> Wanted | None:
        topic_id = self._ids.get(name.topic)
        return None if topic_id is None else self._topics[topic_id][1].get(name.partition)

    def of_topic(self, topic: str) -> list[TopicPartition]:
        topic_id = self._ids.get(topic)
        indexes: Iterable[int] = () if topic_id is None else self._topics[topic_id][1]
        return [TopicPartition(topic, index) for index in indexes]

    def set_topic(self, topic: Topic) -> list[TopicPartition]:
        """Take over what a topic has now; its partitions that are or were here."""
        touched = self.drop_topic(self._ids.get(topic.name, topic.topic_id))
        ours = {
            index: Wanted(topic.topic_id, assignment)
            for index, assignment in topic.partitions.items()
            if self._node_id in assignment.replicas
        }
        if ours:
            self._topics[topic.topic_id] = topic.name, ours
            self._ids[topic.name] = topic.topic_id
        names = [*touched, *self.of_topic(topic.name)]
        return list(dict.fromkeys(names))

    def drop_topic(self, topic_id: bytes) -> list[TopicPartition]:
        """The topic is gone; its partitions that were here."""
        name, ours = self._topics.pop(topic_id, ("", {}))
        if self._ids.get(name) == topic_id:
            del self._ids[name]
        return [TopicPartition(name, index) for index in ours]
