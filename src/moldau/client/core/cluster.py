"""What a client believes about the cluster: brokers, topics, who leads which partition.

It is told by Metadata answers, and by hints in answers to requests that went to the wrong broker
(KIP-951). Beliefs grow old and are wrong at times; what keeps them from going backwards is the
leader epoch: of two claims about a partition of the same topic, the one of the lower epoch is old
(KIP-320). A topic with another id is another topic, and begins anew (KIP-516).

Whoever finds out that a belief is wrong says so (`distrust`), and the topic is asked for again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import NamedTuple, Protocol

from moldau.client.topic_partition import TopicPartition
from moldau.platform.ports.network import Address
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.topic.metadata import MetadataResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["NO_LEADER", "Cluster", "Endpoint", "Leader", "Topic"]

NO_LEADER = -1
NO_EPOCH = -1

TopicAnswer = MetadataResponse.MetadataResponseTopic


class Endpoint(Protocol):
    """The address of a leader, as several answers have it."""

    node_id: int
    host: str
    port: int


class Leader(NamedTuple):
    """Who leads a partition, and since which election."""

    node_id: int
    epoch: int


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic, as it was told last."""

    name: str
    topic_id: bytes
    is_internal: bool = False
    leaders: Mapping[int, Leader] = field(default_factory=dict)
    """By partition: every partition is in it, those without a leader have `NO_LEADER`."""
    told_ms: int = 0


class Cluster:
    """The belief, changed by what comes in."""

    def __init__(self, max_age_ms: int) -> None:
        self.brokers: dict[int, Address] = {}
        self.topics: dict[str, Topic] = {}
        self.refused: dict[str, ErrorCode] = {}
        """Topics that were asked for last and not told, and why."""
        self._max_age_ms = max_age_ms
        self._distrusted: set[str] = set()

    def __repr__(self) -> str:
        return f"<Cluster: {len(self.brokers)} brokers, {len(self.topics)} topics>"

    def apply_metadata(self, answer: MetadataResponse, now_ms: int) -> None:
        self.brokers = {
            broker.node_id: Address(broker.host, broker.port) for broker in answer.brokers
        }
        for told in answer.topics:
            if told.name is None:
                continue
            self._distrusted.discard(told.name)
            if told.error_code:
                self.refused[told.name] = ErrorCode.read(told.error_code)
            else:
                self.refused.pop(told.name, None)
                self.topics[told.name] = _topic(told, self.topics.get(told.name), now_ms)

    def apply_hint(
        self, part: TopicPartition, leader: Leader, endpoints: Iterable[Endpoint]
    ) -> bool:
        """Believe a broker that says who leads instead of it; False where that is no news."""
        topic = self.topics.get(part.topic)
        known = None if topic is None else topic.leaders.get(part.partition)
        if topic is None or known is None or leader.node_id < 0 or leader.epoch <= known.epoch:
            return False
        for endpoint in endpoints:
            self.brokers[endpoint.node_id] = Address(endpoint.host, endpoint.port)
        if leader.node_id not in self.brokers:
            return False
        leaders = {**topic.leaders, part.partition: leader}
        self.topics[part.topic] = replace(topic, leaders=leaders)
        return True

    def distrust(self, topic: str) -> None:
        """Something of it has turned out to be wrong."""
        self._distrusted.add(topic)

    def is_fresh(self, topic: str, now_ms: int) -> bool:
        """Whether it need not be asked for."""
        known = self.topics.get(topic)
        return (
            known is not None
            and topic not in self._distrusted
            and topic not in self.refused
            and now_ms - known.told_ms <= self._max_age_ms
        )

    def leader(self, part: TopicPartition) -> Leader | None:
        """Whom to ask; None where that is not known, or there is none."""
        topic = self.topics.get(part.topic)
        leader = None if topic is None else topic.leaders.get(part.partition)
        if leader is None or leader.node_id not in self.brokers:
            return None
        return leader


def _topic(told: TopicAnswer, known: Topic | None, now_ms: int) -> Topic:
    assert told.name is not None, "topics without a name are left out before"
    before = known.leaders if known is not None and known.topic_id == told.topic_id else {}
    leaders = {
        partition.partition_index: _newer(
            Leader(partition.leader_id, partition.leader_epoch),
            before.get(partition.partition_index),
        )
        for partition in sorted(told.partitions, key=lambda partition: partition.partition_index)
    }
    return Topic(told.name, told.topic_id, told.is_internal, leaders, now_ms)


def _newer(told: Leader, known: Leader | None) -> Leader:
    """What was told, unless it is from before what is known."""
    if known is None or told.epoch == NO_EPOCH or told.epoch >= known.epoch:
        return told
    return known
