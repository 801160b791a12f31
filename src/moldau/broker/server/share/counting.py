"""How many requests and acknowledgements of share groups came, under Kafka's names.

A request counts once for each topic that it names, and as failed once for each topic of which a
partition was refused. Acknowledgements are counted by record, when they are stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from moldau.broker.coordinator.share.partition.acknowledging import Acknowledgement, AcknowledgeType
from moldau.broker.server.broker import Broker
from moldau.broker.server.monitoring.gauges import SHARE_ACKNOWLEDGEMENTS
from moldau.broker.server.share.sessions import PartitionKey

__all__ = ["KINDS", "count_acknowledged", "count_requests"]

GROUP: Final = "kafka.server"
TRAFFIC: Final = "BrokerTopicMetrics"
SHARES: Final = "ShareGroupMetrics"
KINDS: Final[Mapping[int, str]] = {kind: kind.name.capitalize() for kind in AcknowledgeType}


def count_requests(
    broker: Broker, name: str, asked: Iterable[PartitionKey], refused: Iterable[PartitionKey]
) -> None:
    """One request, with the partitions that it names and those that were refused."""
    _count(broker, f"Total{name}", asked)
    _count(broker, f"Failed{name}", refused)


def count_acknowledged(broker: Broker, words: Iterable[Acknowledgement]) -> None:
    metrics = broker.metrics
    for word in words:
        count = word.last_offset - word.first_offset + 1 if len(word.types) == 1 else 1
        for kind in word.types:
            if kind != AcknowledgeType.GAP:
                name = KINDS[kind]
                metrics.meter(GROUP, SHARES, SHARE_ACKNOWLEDGEMENTS, ackType=name).mark(count)


def _count(broker: Broker, name: str, keys: Iterable[PartitionKey]) -> None:
    topics = broker.metadata.image.topics.by_id
    for topic_id in {topic_id for topic_id, _ in keys} & topics.keys():
        topic = topics[topic_id].name
        broker.traffic.topic(topic)  # which forgets the numbers of a topic that is deleted
        broker.metrics.meter(GROUP, TRAFFIC, name).mark()
        broker.metrics.meter(GROUP, TRAFFIC, name, topic=topic).mark()
