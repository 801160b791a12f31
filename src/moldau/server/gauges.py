"""What is looked up when metrics are read: the state of replicas, cluster, waiting, connections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from moldau.metadata.image import Image
from moldau.metadata.topics import NO_LEADER
from moldau.metrics.registry import Registry
from moldau.server.broker import Broker
from moldau.server.connections import Connections

__all__ = ["partition_counts", "register_gauges"]

SERVER, CONTROLLER = "kafka.server", "kafka.controller"
RUNNING = 3
"""BrokerState's number for a broker that serves."""
REPLICA_COUNTS = ("PartitionCount", "LeaderCount", "UnderReplicatedPartitions")
PURGATORIES = ("Produce", "Fetch", "DeleteRecords")


def register_gauges(registry: Registry, broker: Broker, connections: Connections) -> None:
    """Once, when the node has made its parts."""

    def gauge(kind: str, name: str, ask: Callable[[], float], group: str = SERVER) -> None:
        registry.gauge(ask, group, kind, name)

    gauge("KafkaServer", "BrokerState", lambda: RUNNING)
    gauge("socket-server-metrics", "connection-count", lambda: len(connections))
    gauge("socket-server-metrics", "connection-creation-total", lambda: connections.opened)
    gauge("FetchSessionCache", "NumIncrementalFetchSessions", lambda: len(broker.fetch_sessions))
    gauge(
        "LogManager",
        "OfflineLogDirectoryCount",
        lambda: len(broker.directories.offline),
        "kafka.log",
    )
    _register_partitions(registry, broker)
    _register_cluster(broker, gauge)
    _register_waiting(registry, broker)


def _register_partitions(registry: Registry, broker: Broker) -> None:
    for name in REPLICA_COUNTS:
        registry.gauge(
            lambda name=name: partition_counts(broker.metadata.image, broker.node_id)[name],  # type: ignore[misc]
            SERVER,
            "ReplicaManager",
            name,
        )


def partition_counts(image: Image, node_id: int) -> Counter[str]:
    """Of the partitions that this broker has, and of all together."""
    counts: Counter[str] = Counter()
    for topic in image.topics.by_id.values():
        for state in topic.partitions.values():
            counts["GlobalPartitionCount"] += 1
            counts["OfflinePartitionsCount"] += state.leader == NO_LEADER
            counts["PartitionCount"] += node_id in state.replicas
            if state.leader == node_id:
                counts["LeaderCount"] += 1
                counts["UnderReplicatedPartitions"] += len(state.isr) < len(state.replicas)
    return counts


def _register_cluster(broker: Broker, gauge: Callable[..., None]) -> None:
    kind = "KafkaController"

    def image() -> Image:
        return broker.metadata.image

    def is_active() -> int:
        return int(broker.metadata.leader_id == broker.node_id)

    def count(name: str) -> None:
        gauge(kind, name, lambda: partition_counts(image(), broker.node_id)[name], CONTROLLER)

    gauge(kind, "ActiveControllerCount", is_active, CONTROLLER)
    gauge(kind, "GlobalTopicCount", lambda: len(image().topics.by_id), CONTROLLER)
    gauge(kind, "FencedBrokerCount", lambda: _brokers(image(), fenced=True), CONTROLLER)
    gauge(kind, "ActiveBrokerCount", lambda: _brokers(image(), fenced=False), CONTROLLER)
    count("GlobalPartitionCount")
    count("OfflinePartitionsCount")
    gauge("MetadataLoader", "CurrentMetadataVersion", lambda: image().features.metadata_version)


def _brokers(image: Image, *, fenced: bool) -> int:
    return sum(state.fenced is fenced for state in image.cluster.brokers.values())


def _register_waiting(registry: Registry, broker: Broker) -> None:
    for kind in PURGATORIES:
        registry.gauge(
            lambda kind=kind: broker.waiting.held[kind],  # type: ignore[misc]
            SERVER,
            "DelayedOperationPurgatory",
            "PurgatorySize",
            delayedOperation=kind,
        )
