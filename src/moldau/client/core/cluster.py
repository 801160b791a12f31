"""A client's view of the cluster: brokers, topics, who leads which partition.

It follows Metadata answers, and hints in answers to requests that went to the wrong broker
(KIP-951). The view grows old and is wrong at times; what keeps it from going backwards is the
leader epoch: of two claims about a partition of the same topic, the one of the lower epoch is old
(KIP-320). A topic with another id is another topic, and begins anew (KIP-516).

A caller that finds it wrong calls `mark_stale`, and the topic is asked for again.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, Protocol, TypeAlias

from moldau.client.topic_partition import TopicPartition
from moldau.platform.ports.network import Address
from moldau.protocol.messages.topic.metadata import MetadataResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["NO_LEADER", "Cluster", "Endpoint", "Leader", "Topic"]

NO_LEADER: Final = -1
NO_EPOCH: Final = -1

TopicAnswer: TypeAlias = MetadataResponse.MetadataResponseTopic


class Endpoint(Protocol):
    """The address of a leader, as several answers have it."""

    node_id: int
    host: str
    port: int


class Leader(NamedTuple):
    """Who leads a partition, and since which election."""

    node_id: int
    epoch: int


class Topic:
    """One topic, as it was described last."""

    __slots__ = ("described_ms", "is_internal", "leaders", "name", "topic_id")

    def __init__(
        self,
        name: str,
        topic_id: bytes,
        is_internal: bool,
        leaders: Mapping[int, Leader],
        described_ms: int,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.is_internal = is_internal
        self.leaders = leaders
        """By partition: every partition is in it, those without a leader have `NO_LEADER`."""
        self.described_ms = described_ms

    def __repr__(self) -> str:
        return f"<Topic {self.name}: {len(self.leaders)} partitions>"

    def led(self, leaders: Mapping[int, Leader]) -> Topic:
        """The same with other leaders."""
        return Topic(self.name, self.topic_id, self.is_internal, leaders, self.described_ms)


class Cluster:
    """The view, changed by what comes in."""

    def __init__(self, max_age_ms: int) -> None:
        self.brokers: dict[int, Address] = {}
        self.topics: dict[str, Topic] = {}
        self.refused: dict[str, ErrorCode] = {}
        """Topics that were asked for last and not described, and why."""
        self._max_age_ms = max_age_ms
        self._stale: set[str] = set()

    def __repr__(self) -> str:
        return f"<Cluster: {len(self.brokers)} brokers, {len(self.topics)} topics>"

    def apply_metadata(self, answer: MetadataResponse, now_ms: int) -> None:
        self.brokers = {
            broker.node_id: Address(broker.host, broker.port) for broker in answer.brokers
        }
        for described in answer.topics:
            if described.name is None:
                continue
            self._stale.discard(described.name)
            if described.error_code:
                self.refused[described.name] = ErrorCode.read(described.error_code)
            else:
                self.refused.pop(described.name, None)
                self.topics[described.name] = _topic(
                    described, self.topics.get(described.name), now_ms
                )

    def apply_hint(
        self, part: TopicPartition, leader: Leader, endpoints: Iterable[Endpoint]
    ) -> bool:
        """Take over the leader that another broker names; False where that is no news."""
        topic = self.topics.get(part.topic)
        known = None if topic is None else topic.leaders.get(part.partition)
        if topic is None or known is None or leader.node_id < 0 or leader.epoch <= known.epoch:
            return False
        for endpoint in endpoints:
            self.brokers[endpoint.node_id] = Address(endpoint.host, endpoint.port)
        if leader.node_id not in self.brokers:
            return False
        leaders = {**topic.leaders, part.partition: leader}
        self.topics[part.topic] = topic.led(leaders)
        return True

    def mark_stale(self, topic: str) -> None:
        """Something of it has turned out to be wrong."""
        self._stale.add(topic)

    def is_fresh(self, topic: str, now_ms: int) -> bool:
        """Whether it need not be asked for."""
        known = self.topics.get(topic)
        return (
            known is not None
            and topic not in self._stale
            and topic not in self.refused
            and now_ms - known.described_ms <= self._max_age_ms
        )

    def leader(self, part: TopicPartition) -> Leader | None:
        """Whom to ask; None where that is not known, or there is none."""
        topic = self.topics.get(part.topic)
        leader = None if topic is None else topic.leaders.get(part.partition)
        if leader is None or leader.node_id not in self.brokers:
            return None
        return leader


def _topic(described: TopicAnswer, known: Topic | None, now_ms: int) -> Topic:
    assert described.name is not None, "topics without a name are left out before"
    before = known.leaders if known is not None and known.topic_id == described.topic_id else {}
    leaders = {
        partition.partition_index: _newer(
            Leader(partition.leader_id, partition.leader_epoch),
            before.get(partition.partition_index),
        )
        for partition in sorted(
            described.partitions, key=lambda partition: partition.partition_index
        )
    }
    return Topic(described.name, described.topic_id, described.is_internal, leaders, now_ms)


def _newer(described: Leader, known: Leader | None) -> Leader:
    """The described leader, unless it is older than the known one."""
    if known is None or described.epoch == NO_EPOCH or described.epoch >= known.epoch:
        return described
    return known
