"""What Metadata has of topics, and its encoded form, kept until it changes.

It depends on the topic, on which brokers are alive on the listener that was asked through, and on
the version. Images share what has not changed: as long as the cluster is the same object, and the
topic is, the encoded bytes hold. A leader that moves costs one topic; a broker that comes or goes
costs all of them. Who may see a topic is no part of it: the caller decides that for each topic.

A request for all topics may get them in one piece, which holds until any topic changes.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

from moldau.broker.metadata.cluster import BrokerState, Cluster, offline_replicas
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.topics import (
    INTERNAL_TOPICS,
    NO_LEADER,
    PartitionState,
    Topics,
    TopicState,
)
from moldau.broker.server.spliced import Splice
from moldau.protocol.messages.topic.metadata import MetadataResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["Topic", "TopicAnswers", "TopicAnswersKept"]

Topic = MetadataResponse.MetadataResponseTopic
Partition = Topic.MetadataResponsePartition

LISTENER_ERRORS_SINCE = 6
KEPT_BYTES_MAX = 64 * 1024 * 1024
"""Of all versions and listeners: 500,000 partitions with three replicas in one version."""


class TopicAnswers:
    """For one listener and version, as long as the same brokers are alive."""

    def __init__(self, cluster: Cluster, listener: str, version: int) -> None:
        self.cluster = cluster
        self.alive: Mapping[int, BrokerState] = {
            broker_id: state
            for broker_id, state in cluster.brokers.items()
            if not state.fenced and listener in state.endpoints
        }
        blank = MetadataResponse(brokers=[], controller_id=0, topics=[])
        self.splice = Splice(blank, "topics", Topic(error_code=0, name="", partitions=[]), version)
        self.size = 0
        """Bytes that are kept."""
        self._version = version
        self._encoded: dict[str, tuple[TopicState, bytes]] = {}
        self._all: tuple[Topics, bytes] | None = None

    def __repr__(self) -> str:
        return f"TopicAnswers(version {self._version}, {len(self._encoded)} topics)"

    def encoded(self, topic: TopicState) -> bytes:
        """Its part of a response."""
        kept = self._encoded.get(topic.name)
        if kept is not None and kept[0] is topic:
            return kept[1]
        encoded = self.splice.elements([self.plain(topic)])
        self.size += len(encoded) - (0 if kept is None else len(kept[1]))
        self._encoded[topic.name] = topic, encoded
        return encoded

    def all(self, topics: Topics) -> Generator[None, None, bytes]:
        """The part of all of them."""
        if self._all is not None and self._all[0] is topics:
            return self._all[1]
        parts = []
        for topic in topics.by_name.values():
            parts.append(self.encoded(topic))
            yield
        self._forget_others(topics)
        joined = b"".join(parts)
        self.size += len(joined) - (0 if self._all is None else len(self._all[1]))
        self._all = topics, joined
        return joined

    def _forget_others(self, topics: Topics) -> None:
        """Topics that were deleted need no bytes."""
        for name in self._encoded.keys() - topics.by_name.keys():
            self.size -= len(self._encoded.pop(name)[1])

    def plain(self, topic: TopicState) -> Topic:
        return Topic(
            error_code=ErrorCode.NONE,
            name=topic.name,
            topic_id=topic.topic_id,
            is_internal=topic.name in INTERNAL_TOPICS,
            partitions=[self._partition(index, state) for index, state in topic.partitions.items()],
        )

    def _partition(self, index: int, state: PartitionState) -> Partition:
        return Partition(
            error_code=self._error(state),
            partition_index=index,
            leader_id=state.leader if state.leader in self.alive else NO_LEADER,
            leader_epoch=state.leader_epoch,
            replica_nodes=self._reachable(state.replicas),
            isr_nodes=self._reachable(state.isr),
            offline_replicas=offline_replicas(state, self.alive),
        )

    def _error(self, state: PartitionState) -> ErrorCode:
        if state.leader in self.alive:
            return ErrorCode.NONE
        leader = self.cluster.brokers.get(state.leader)
        if leader is None or leader.fenced or self._version < LISTENER_ERRORS_SINCE:
            return ErrorCode.LEADER_NOT_AVAILABLE
        return ErrorCode.LISTENER_NOT_FOUND

    def _reachable(self, replicas: tuple[int, ...]) -> list[int]:
        """Version 0 left out brokers that its clients could not reach."""
        if self._version > 0:
            return list(replicas)
        return [one for one in replicas if one in self.alive]


class TopicAnswersKept:
    """The encoded topics of Metadata, by listener and version."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int], TopicAnswers] = {}

    def __repr__(self) -> str:
        return f"TopicAnswersKept({len(self._kept)}, {self.size} bytes)"

    @property
    def size(self) -> int:
        return sum(one.size for one in self._kept.values())

    def of(self, image: Image, listener: str, version: int) -> TopicAnswers:
        """Those that hold for this image."""
        key = listener, version
        kept = self._kept.get(key)
        if kept is None or kept.cluster is not image.cluster:
            kept = self._kept[key] = TopicAnswers(image.cluster, listener, version)
        if self.size > KEPT_BYTES_MAX:
            self._kept = {key: TopicAnswers(image.cluster, listener, version)}
        return self._kept[key]
